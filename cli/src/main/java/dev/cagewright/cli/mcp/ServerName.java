package dev.cagewright.cli.mcp;

import dev.cagewright.policy.action.ByteString;
import java.util.List;
import java.util.Optional;

/// What a server is called that nobody gave a name: after its policy, or else its program.
final class ServerName {
    private static final int LONGEST = 50;

    private ServerName() {}

    static String of(Optional<String> policy, List<ByteString> words) {
        var from =
                policy.orElseGet(() -> words.isEmpty() ? "" : words.getFirst().latin1());
        var last = from.substring(from.lastIndexOf('/') + 1).replaceAll("\\.ya?ml$", "");
        var plain = last.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^mcp-(?=.)", "");
        return plain.isEmpty() ? "server" : plain.substring(0, Math.min(plain.length(), LONGEST));
    }
}
