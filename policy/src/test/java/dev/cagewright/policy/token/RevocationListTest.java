package dev.cagewright.policy.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RevocationListTest {
    private final TokenKey key = new Bench().key;

    @Test
    void a_list_is_read_as_it_was_written_and_counts_its_changes() throws UnknownRevocationsException {
        var list = RevocationList.first(key).with(new RevId("root-1")).with(new RevId("a"));
        var read = RevocationList.read(list.write(key), key);

        assertThat(read).isEqualTo(list);
        assertThat(read.counter()).isEqualTo(3);
        assertThat(read.firstOf(List.of(new RevId("x"), new RevId("root-1"), new RevId("y"))))
                .contains(new RevId("root-1"));
        assertThat(read.firstOf(List.of(new RevId("x")))).isEmpty();
    }

    @Test
    void B188_a_list_that_is_cut_edited_empty_or_of_another_key_is_refused() {
        var text = RevocationList.first(key).with(new RevId("root-1")).write(key);
        for (int length = 0; length < text.length; length++) {
            int cut = length;
            assertThatThrownBy(() -> RevocationList.read(Arrays.copyOf(text, cut), key))
                    .as("cut to %d", cut)
                    .isInstanceOf(UnknownRevocationsException.class);
        }
        for (int i = 0; i < text.length; i++) {
            var changed = text.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> RevocationList.read(changed, key))
                    .as("byte %d", i)
                    .isInstanceOf(UnknownRevocationsException.class);
        }
        assertThatThrownBy(() -> RevocationList.read(text, new Bench(8).key))
                .hasMessage("it is cut, was edited, or is signed with another key than " + new Bench(8).key.id());
        assertThatThrownBy(() -> RevocationList.read(new byte[0], key)).hasMessage("it is no whole list: 0 bytes");
        assertThatThrownBy(() -> RevocationList.read(new byte[RevocationList.LONGEST + 1], key))
                .hasMessageStartingWith("it is no whole list: ");
    }

    @Test
    void B188_a_list_that_was_signed_and_spelt_otherwise_is_refused() {
        for (String body : List.of(
                "cagewright-revocations 1\nkey " + key.id() + "\ncounter 0\n",
                "cagewright-revocations 1\nkey " + key.id() + "\ncounter 07\n",
                "cagewright-revocations 1\nkey " + key.id() + "\ncounter 7\nrevoked ROOT-1\n",
                "cagewright-revocations 1\nkey " + key.id() + "\ncounter 7\nrevoked b\nrevoked a\n",
                "cagewright-revocations 1\nkey " + key.id() + "\ncounter 7\nallowed a\n",
                "cagewright-revocations 1\nkey 0000000000000000\ncounter 7\nrevoked a\n",
                "cagewright-revocations 2\nkey " + key.id() + "\ncounter 7\nrevoked a\n",
                "\n".repeat(100))) {
            var bytes = body.getBytes(StandardCharsets.US_ASCII);
            var tag = key.tag(TokenKey.Purpose.REVOCATIONS, bytes);
            var text = (body + "tag " + TokenKey.hex(tag, tag.length) + "\n").getBytes(StandardCharsets.US_ASCII);
            assertThatThrownBy(() -> RevocationList.read(text, key))
                    .as(body)
                    .isInstanceOf(UnknownRevocationsException.class)
                    .hasMessageStartingWith("what was signed is no list");
        }
    }

    @Test
    void B188_a_name_has_one_spelling() {
        assertThatThrownBy(() -> new RevId("ROOT-1"))
                .hasMessage(
                        "rev: \"ROOT-1\" (expected: 1 to 64 of a-z, 0-9, '.', '_' and '-', the first a letter or digit)");
        assertThat(new RevId("root-1").value()).isEqualTo("root-1");
    }
}
