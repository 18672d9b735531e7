package dev.cagewright.supervisor.signing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// What is signed where git signs with an ssh key: the blob of PROTOCOL.sshsig of OpenSSH, in the namespace `git`, over
/// a hash of the commit or tag. Nothing that is signed to log in anywhere can look like it: that begins with the length
/// of a session's id, and these six letters would be a length of more than a gigabyte.
///
/// @param hash `sha256` or `sha512`
record GitSignature(String hash) {
    private static final byte[] MAGIC = "SSHSIG".getBytes(StandardCharsets.US_ASCII);
    private static final String NAMESPACE = "git";

    /// Reads one.
    ///
    /// @throws IllegalArgumentException if it is anything else, saying what it is as far as that is known
    static GitSignature read(byte[] data) {
        if (data.length < MAGIC.length || !Arrays.equals(data, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IllegalArgumentException(
                    "it is not what git signs (a log-in, perhaps); only commits and tags are" + " signed here");
        }
        var reader = new AgentWords.Reader(data, MAGIC.length);
        var namespace = new String(reader.string(), StandardCharsets.US_ASCII);
        if (!namespace.equals(NAMESPACE)) {
            throw new IllegalArgumentException(
                    "it is a signature for another purpose than git's; only commits and tags are signed here");
        }
        if (reader.string().length > 0) {
            throw new IllegalArgumentException("it says something where nothing is to be said yet");
        }
        var hash = new String(reader.string(), StandardCharsets.US_ASCII);
        int length = reader.string().length;
        reader.end();
        boolean isKnown = (hash.equals("sha512") && length == 64) || (hash.equals("sha256") && length == 32);
        if (!isKnown) {
            throw new IllegalArgumentException("its hash is none that is known (expected: sha256 or sha512)");
        }
        return new GitSignature(hash);
    }
}
