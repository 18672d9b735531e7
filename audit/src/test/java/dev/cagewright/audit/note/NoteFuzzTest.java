package dev.cagewright.audit.note;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.audit.checkpoint.Checkpoint;

/// Any bytes are a note, a checkpoint, a key or a refusal, and what is taken has no second form. Run as a test this
/// reads
/// the committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class NoteFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_note_or_a_refusal(byte[] bytes) {
        try {
            var note = SignedNote.parse(bytes);
            assertThat(note.bytes()).isEqualTo(bytes);
            assertThat(note.signatures()).isNotEmpty().hasSizeLessThanOrEqualTo(SignedNote.MOST_SIGNATURES);
        } catch (NoteSyntaxException e) {
            assertThat(e.getMessage()).hasSizeLessThan(200).matches("[ -~]+");
        }
    }

    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_checkpoint_or_a_refusal(byte[] bytes) {
        try {
            var checkpoint = Checkpoint.parse(bytes);
            assertThat(checkpoint.bytes()).isEqualTo(bytes);
            assertThat(checkpoint.seq()).isPositive();
            assertThat(Checkpoint.parse(checkpoint.bytes())).isEqualTo(checkpoint);
        } catch (NoteSyntaxException e) {
            assertThat(e.getMessage()).hasSizeLessThan(200).matches("[ -~]+");
        }
    }

    @FuzzTest(maxDuration = "2m")
    void any_text_is_a_verifier_key_or_a_refusal(byte[] bytes) {
        var text = new String(bytes, UTF_8);
        try {
            assertThat(NoteKey.parse(text).text()).isEqualTo(text);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
