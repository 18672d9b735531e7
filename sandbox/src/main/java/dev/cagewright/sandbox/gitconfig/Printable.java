package dev.cagewright.sandbox.gitconfig;

import dev.cagewright.policy.action.ByteString;
import java.nio.charset.StandardCharsets;

/// Text of a configuration file in messages: one line, and no longer than anybody reads.
final class Printable {
    private static final int MOST = 200;

    private Printable() {}

    static String of(String latin1) {
        var cut = latin1.length() > MOST ? latin1.substring(0, MOST) + "..." : latin1;
        return ByteString.copyOf(cut.getBytes(StandardCharsets.ISO_8859_1)).printable();
    }
}
