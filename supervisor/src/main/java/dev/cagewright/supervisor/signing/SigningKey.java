package dev.cagewright.supervisor.signing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/// A public key of the person's ssh agent.
final class SigningKey {
    private final byte[] blob;
    private final String comment;

    /// @param blob RFC 4253 section 6.6
    /// @param comment the agent's word for it, for people
    SigningKey(byte[] blob, String comment) {
        this.blob = blob.clone();
        this.comment = comment;
    }

    byte[] blob() {
        return blob.clone();
    }

    String comment() {
        return comment;
    }

    boolean is(byte[] other) {
        return Arrays.equals(blob, other);
    }

    /// E.g. `SHA256:...`, as `ssh-add -l` has it.
    String fingerprint() {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(blob);
            return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: absent (expected: in every JDK)", e);
        }
    }

    /// E.g. `ssh-ed25519 AAAA...`.
    ///
    /// @throws IllegalArgumentException if it is no key
    String line() {
        var kind = new String(new AgentWords.Reader(blob, 0).string(), StandardCharsets.US_ASCII);
        if (!kind.matches("[a-z0-9@.-]{1,64}")) {
            throw new IllegalArgumentException("the agent has a key of no kind");
        }
        return kind + " " + Base64.getEncoder().encodeToString(blob);
    }

    @Override
    public String toString() {
        return fingerprint();
    }
}
