package dev.cagewright.audit.note;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.note.NoteKey.Algorithm;
import dev.cagewright.audit.note.NoteKey.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Notes of other implementations: the key and note of Go's `golang.org/x/mod/sumdb/note` tests, the examples of
/// c2sp.org/signed-note, tlog-checkpoint and tlog-cosignature, and verifier keys of transparency-dev/formats.
class SignedNoteTest {
    private static final String PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    private static final String PETERS_SECRET = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    private static final String TEXT = """
            If you think cryptography is the answer to your problem,
            then you don't know what your problem is.
            """;
    private static final String NOTE = TEXT
            + "\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    @TempDir
    Path folder;

    @Test
    void the_note_of_gos_tests_verifies_and_a_changed_letter_is_found() throws Exception {
        var key = NoteKey.parse(PETER);
        var note = SignedNote.parse(NOTE.getBytes(UTF_8));

        assertThat(note.text()).isEqualTo(TEXT);
        assertThat(key.findOn(note)).isEqualTo(Finding.SIGNED);
        assertThat(note.bytes()).isEqualTo(NOTE.getBytes(UTF_8));
        assertThat(key.findOn(SignedNote.parse(NOTE.replace("answer", "Answer").getBytes(UTF_8))))
                .isEqualTo(Finding.FORGED);
    }

    @Test
    void signing_with_the_key_of_gos_tests_gives_the_same_bytes() throws Exception {
        var secret = Base64.getDecoder().decode(PETERS_SECRET);
        var file = folder.resolve("peter");
        Files.writeString(file, HexFormat.of().formatHex(secret, 1, 33));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        var signer = SigningKey.read(file);
        var key = new NoteKey("PeterNeumann", Algorithm.NOTE, signer.publicKey());

        assertThat(key.text()).isEqualTo(PETER);
        assertThat(SignedNote.sign(TEXT, key, signer).bytes()).isEqualTo(NOTE.getBytes(UTF_8));
    }

    @Test
    void the_examples_of_the_documents_are_read_to_the_byte() throws Exception {
        var salvatore = """
                Ognuno sta solo sul cuor della terra
                trafitto da un raggio di sole:

                ed è subito sera.

                — quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
                """;
        var sofa = """
                example.com/behind-the-sofa
                20852163
                CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

                — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
                — witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
                """;

        assertThat(SignedNote.parse(salvatore.getBytes(UTF_8)).text()).endsWith("sole:\n\ned è subito sera.\n");
        assertThat(SignedNote.parse(salvatore.getBytes(UTF_8)).bytes()).isEqualTo(salvatore.getBytes(UTF_8));
        var note = SignedNote.parse(sofa.getBytes(UTF_8));
        assertThat(note.signatures())
                .extracting(NoteSignature::name)
                .containsExactly("example.com/behind-the-sofa", "witness.example.com/w1");
        assertThat(note.signatures().getLast().keyId()).isEqualTo(HexFormat.of().parseHex("8d66cf3f"));
        assertThat(note.signatures().getLast().signature()).hasSize(72).startsWith(0, 0, 0, 0, 0x64, 0x18, 0x50, 0xcb);
        assertThat(note.bytes()).isEqualTo(sofa.getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PETER,
                "TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6",
                "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
            })
    void verifier_keys_of_others_are_read_and_written(String text) {
        assertThat(NoteKey.parse(text).text()).isEqualTo(text);
    }

    @Test
    void every_part_and_every_change_of_a_verifier_key_is_refused() {
        for (int i = 0; i < PETER.length(); i++) {
            var changed = new StringBuilder(PETER);
            changed.setCharAt(i, (char) (PETER.charAt(i) + 1));
            var wrong = changed.toString();
            assertThatThrownBy(() -> NoteKey.parse(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
            var cut = PETER.substring(0, i);
            assertThatThrownBy(() -> NoteKey.parse(cut)).as(cut).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> NoteKey.parse("PeterNeumann+c74f20a4" + PETER.substring(21)))
                .hasMessage("verifier key: its key id does not belong to its name and key (expected: c74f20a3)");
    }

    @Test
    void a_witness_cosigns_a_time_and_the_text() throws Exception {
        var note = SignedNote.parse(NOTE.getBytes(UTF_8));
        var pinned = SigningKey.generate(folder.resolve("w"));
        var witness = new NoteKey("witness.example/w1", Algorithm.COSIGNATURE, pinned);
        var cosigned = note.alsoSigned(
                witness, SigningKey.read(folder.resolve("w.secret.hex")), Instant.ofEpochSecond(1_679_315_147));

        var line = cosigned.signatures().getLast();
        var signature = line.signature();
        assertThat(witness.findOn(note)).isEqualTo(Finding.ABSENT);
        assertThat(witness.findOn(SignedNote.parse(cosigned.bytes()))).isEqualTo(Finding.SIGNED);
        assertThat(HexFormat.of().formatHex(signature, 0, 8)).isEqualTo("00000000641850cb");
        assertThat(pinned.signed(
                        ("cosignature/v1\ntime 1679315147\n" + TEXT).getBytes(UTF_8),
                        Arrays.copyOfRange(signature, 8, 72)))
                .isTrue();
        signature[7]++;
        assertThat(witness.findOn(note.alsoSigned(NoteSignature.of(line.name(), witness.id(), signature))))
                .isEqualTo(Finding.FORGED);
        assertThat(witness.findOn(note.alsoSigned(NoteSignature.of(line.name(), witness.id(), new byte[64]))))
                .isEqualTo(Finding.FORGED);
        assertThat(new NoteKey("witness.example/w2", Algorithm.COSIGNATURE, pinned).findOn(cosigned))
                .isEqualTo(Finding.ABSENT);
        assertThat(new NoteKey("witness.example/w1", Algorithm.NOTE, pinned).findOn(cosigned))
                .isEqualTo(Finding.ABSENT);
    }

    @Test
    void what_is_no_note_is_refused_with_a_reason() {
        var signature = NOTE.substring(NOTE.indexOf('—'));
        refused("", "has no blank line before its signatures");
        refused(TEXT, "has no blank line before its signatures");
        refused(NOTE.replace("\n\n", "\n"), "has no blank line before its signatures");
        refused(NOTE.substring(0, NOTE.length() - 1), "does not end in a signature line");
        refused(TEXT + "\n", "does not end in a signature line");
        refused(NOTE + "\n", "does not end in a signature line");
        refused(NOTE.replace("—", "-"), "has a signature line that is none");
        refused(NOTE.replace("PeterNeumann", "Peter Neumann"), "has a signature line that is none");
        refused(NOTE.replace("PeterNeumann", "Peter\u2003Neumann"), "has a signature line that is none");
        refused(NOTE.replace("PeterNeumann", "Peter+Neumann"), "has a signature line that is none");
        refused(NOTE.replace("PeterNeumann ", ""), "has a signature line that is none");
        refused(NOTE.replace("nAM=", "nAN="), "has a signature line that is none");
        refused(NOTE.replace("nAM=", "nAM"), "has a signature line that is none");
        refused(TEXT + "\n— PeterNeumann x08goA==\n".replace("oA==", "ow=="), "has a signature line that is none");
        refused(NOTE.replace("then", "then\t"), "contains control characters");
        refused(NOTE.replace("\n", "\r\n"), "contains control characters");
        refused(TEXT + "\n" + signature.repeat(65), "has more than 64 signatures");
        refused("x".repeat(SignedNote.LONGEST) + "\n\n" + signature, "is longer than 262144 bytes");
        assertThatThrownBy(() -> SignedNote.parse(NOTE.getBytes(ISO_8859_1).clone()))
                .isInstanceOf(NoteSyntaxException.class);
        assertThatThrownBy(() -> SignedNote.parse(new byte[] {(byte) 0xc0, (byte) 0x80, '\n', '\n'}))
                .hasMessage("is not UTF-8");
    }

    @Test
    void sixteen_signatures_of_strangers_are_borne() throws Exception {
        var stranger = "— stranger.example/" + "k".repeat(20) + " "
                + Base64.getEncoder().encodeToString(new byte[5000]) + "\n";
        var note = SignedNote.parse((NOTE + stranger.repeat(16)).getBytes(UTF_8));

        assertThat(note.signatures()).hasSize(17);
        assertThat(NoteKey.parse(PETER).findOn(note)).isEqualTo(Finding.SIGNED);
    }

    @Test
    void one_wrong_signature_of_a_known_key_spoils_the_note() throws Exception {
        var key = NoteKey.parse(PETER);
        var note = SignedNote.parse(NOTE.getBytes(UTF_8));

        assertThat(key.findOn(note.alsoSigned(NoteSignature.of(key.name(), key.id(), new byte[64]))))
                .isEqualTo(Finding.FORGED);
        assertThat(key.findOn(note.alsoSigned(NoteSignature.of(key.name(), new byte[] {1, 2, 3, 4}, new byte[64]))))
                .isEqualTo(Finding.SIGNED);
    }

    @Test
    void names_of_keys_are_bounded() throws IOException {
        var key = NoteKey.parse(PETER).key();
        for (var name : List.of("", "a b", "a+b", "a\u00a0b", "a\nb", "a\u0085b")) {
            assertThatThrownBy(() -> new NoteKey(name, Algorithm.NOTE, key))
                    .hasMessage("key name: \"" + name + "\" (expected: not empty, without spaces, controls and +)");
        }
        assertThatThrownBy(() -> PinnedKey.ofBytes(new byte[31])).hasMessage("public key: 31 bytes (expected: 32)");
    }

    private static void refused(String note, String reason) {
        assertThatThrownBy(() -> SignedNote.parse(note.getBytes(UTF_8)))
                .isInstanceOf(NoteSyntaxException.class)
                .hasMessage(reason);
    }
}
