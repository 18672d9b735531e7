package dev.cagewright.policy.gate;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// SHA-256 over an action and whatever else of its object counts. Each part goes in with its length in front, so that
/// no
/// two objects are one row of bytes. For one thread; ends once.
public final class ActionDigest {
    private final MessageDigest digest;

    private ActionDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// Begins with the action itself.
    public static ActionDigest begin(Action action) {
        var begun = new ActionDigest().text(action.name());
        return switch (action) {
            case Action.ProcExec exec -> {
                begun.number(exec.argv().size());
                exec.argv().forEach(word -> begun.bytes(word.toByteArray()));
                yield begun.text(exec.workingDirectory().value());
            }
            case Action.FsRead read -> begun.text(read.path().value());
            case Action.FsWrite write -> begun.text(write.path().value());
            case Action.HttpRequest request ->
                begun.text(request.method())
                        .text(request.host().value())
                        .number(request.port())
                        .text(request.path());
            case Action.NetConnect connect -> begun.text(connect.host().value()).number(connect.port());
            case Action.DnsLookup lookup -> begun.text(lookup.host().value());
            case Action.SecretUse use ->
                begun.text(use.secret()).text(use.host().value());
            case Action.McpCall call -> begun.text(call.server()).text(call.tool());
            case Action.RunControl control -> begun.text(control.verb());
            case Action.NetPublish(int port) -> begun.number(port);
        };
    }

    public ActionDigest text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    public ActionDigest bytes(ByteString bytes) {
        return bytes(bytes.toByteArray());
    }

    public ActionDigest bytes(byte[] bytes) {
        number(bytes.length);
        digest.update(bytes);
        return this;
    }

    /// A count; it stands in front of as many parts.
    public ActionDigest number(long number) {
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
        return this;
    }

    /// The 32 bytes.
    public ByteString end() {
        return ByteString.copyOf(digest.digest());
    }
}
