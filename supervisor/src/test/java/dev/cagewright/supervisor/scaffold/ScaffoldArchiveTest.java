package dev.cagewright.supervisor.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.supervisor.receipt.Envelope;
import dev.cagewright.supervisor.scaffold.Scaffolds.NamedText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A scaffold on its way between people.
class ScaffoldArchiveTest {
    private static final List<NamedText> FILES = List.of(
            new NamedText("scaffold.yaml", "name: mine\nprogram: x\n"), new NamedText("policy.yaml", "tool: mine\n"));

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private SigningKey key;

    @BeforeEach
    void make() throws IOException {
        SigningKey.generate(folder.resolve("ada"));
        key = SigningKey.read(folder.resolve("ada.secret.hex"));
    }

    @Test
    void what_is_signed_comes_out_as_it_went_in_with_who_signed_it() throws IOException {
        var read = ScaffoldArchive.read(ScaffoldArchive.sign("mine", FILES, key));

        assertThat(read.name()).isEqualTo("mine");
        assertThat(read.files()).containsExactlyInAnyOrderElementsOf(FILES);
        assertThat(read.signer().hex()).isEqualTo(key.publicKey().hex());
    }

    @Test
    void no_byte_can_be_another_none_missing_and_none_more() throws IOException {
        var archive = ScaffoldArchive.sign("mine", FILES, key);

        for (int i = 0; i < archive.length; i++) {
            var changed = archive.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> ScaffoldArchive.read(changed))
                    .as("byte " + i)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("scaffold archive: ");
        }
        var text = new String(archive, StandardCharsets.UTF_8);
        for (String other : List.of("", text.strip(), text + "\n", " " + text, text + text, "{}", "[]", "null", "x")) {
            assertThatThrownBy(() -> ScaffoldArchive.read(other.getBytes(StandardCharsets.UTF_8)))
                    .as(other)
                    .isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> ScaffoldArchive.read(new byte[ScaffoldArchive.MAX_BYTES + 1]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is larger than");
    }

    @Test
    void another_key_in_the_signers_place_does_not_fit() throws IOException {
        SigningKey.generate(folder.resolve("eve"));
        var eve = SigningKey.read(folder.resolve("eve.secret.hex"));
        var archive = new String(ScaffoldArchive.sign("mine", FILES, key), StandardCharsets.UTF_8);
        var payload = archive.replaceAll("^\\{\"payload\":\"([^\"]*)\".*\\n$", "$1");
        var inner = new String(Base64.getDecoder().decode(payload), StandardCharsets.UTF_8);
        var forged = inner.replace(key.publicKey().hex(), eve.publicKey().hex());

        assertThat(forged).isNotEqualTo(inner);
        assertThatThrownBy(() -> ScaffoldArchive.read(archive.replace(
                                payload, Base64.getEncoder().encodeToString(forged.getBytes(StandardCharsets.UTF_8)))
                        .getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not signed by the key that it names");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../scaffold.yaml", "/etc/passwd", "hook.sh", "policy.yaml/..", ""})
    void a_file_of_any_other_name_is_refused_though_it_is_signed(String name) {
        var files = List.of(FILES.get(0), FILES.get(1), new NamedText(name, "x"));

        assertThatThrownBy(() -> ScaffoldArchive.read(ScaffoldArchive.sign("mine", files, key)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has other parts than a name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../mine", "/mine", ".mine", "Mine", "", "a/b"})
    void a_name_that_is_none_is_refused_though_it_is_signed(String name) {
        assertThatThrownBy(() -> ScaffoldArchive.read(ScaffoldArchive.sign(name, FILES, key)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no name of small letters");
    }

    @Test
    void a_receipts_signature_is_none_of_a_scaffold() {
        var receipt = Envelope.sign("{}".getBytes(StandardCharsets.UTF_8), key, key.publicKey());

        assertThatThrownBy(() -> ScaffoldArchive.read(receipt.bytes()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not application/vnd.cagewright.scaffold+json");
    }
}
