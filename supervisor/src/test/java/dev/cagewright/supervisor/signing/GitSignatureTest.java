package dev.cagewright.supervisor.signing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GitSignatureTest {
    /// PROTOCOL.sshsig of OpenSSH, section 3.
    static byte[] blob(String namespace, String reserved, String hash, int digest) {
        var out = new ByteArrayOutputStream();
        out.writeBytes("SSHSIG".getBytes(US_ASCII));
        string(out, namespace.getBytes(US_ASCII));
        string(out, reserved.getBytes(US_ASCII));
        string(out, hash.getBytes(US_ASCII));
        string(out, new byte[digest]);
        return out.toByteArray();
    }

    private static void string(ByteArrayOutputStream out, byte[] bytes) {
        out.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
        out.writeBytes(bytes);
    }

    /// RFC 4252 section 7: what a client signs to log in.
    static byte[] userAuth() {
        var out = new ByteArrayOutputStream();
        string(out, new byte[32]);
        out.write(50);
        for (String text : new String[] {"git", "ssh-connection", "publickey"}) {
            string(out, text.getBytes(US_ASCII));
        }
        out.write(1);
        string(out, "ssh-ed25519".getBytes(US_ASCII));
        string(out, new byte[51]);
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"sha512, 64", "sha256, 32"})
    void what_git_signs_is_read(String hash, int length) {
        assertThat(GitSignature.read(blob("git", "", hash, length))).isEqualTo(new GitSignature(hash));
    }

    @Test
    void a_log_in_is_not_signed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GitSignature.read(userAuth()))
                .withMessage("it is not what git signs (a log-in, perhaps); only commits and tags are signed here");
    }

    @ParameterizedTest
    @CsvSource({"file", "'git '", "Git", "'git\0'", "email", "''"})
    void another_purpose_is_not_signed(String namespace) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GitSignature.read(blob(namespace, "", "sha512", 64)))
                .withMessage("it is a signature for another purpose than git's; only commits and tags are signed here");
    }

    @ParameterizedTest
    @CsvSource({"sha512, 32", "sha1, 20", "md5, 16", "sha256, 33", "'', 0"})
    void a_hash_that_is_none_is_not_signed(String hash, int length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GitSignature.read(blob("git", "", hash, length)))
                .withMessageContaining("its hash is none that is known");
    }

    @Test
    void what_is_cut_or_goes_on_is_not_signed() {
        var whole = blob("git", "", "sha512", 64);
        for (int i = 0; i < whole.length; i++) {
            var cut = Arrays.copyOf(whole, i);
            assertThatIllegalArgumentException().isThrownBy(() -> GitSignature.read(cut));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GitSignature.read(Arrays.copyOf(whole, whole.length + 1)))
                .withMessage("1 bytes follow");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GitSignature.read(blob("git", "x", "sha512", 64)))
                .withMessage("it says something where nothing is to be said yet");
    }
}
