package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `receipt` and `evidence` of the packaged product, from a run to a third party's check.
class EvidenceCommandTest {
    private static final String HOSTILE = "\033]0;x\007 \u202e\n{\"seq\":99}";

    private final Path root;
    private final Desk desk;

    EvidenceCommandTest(@TempDir Path root) throws IOException {
        this.root = root;
        this.desk = Desk.in(root);
    }

    private String session() throws IOException {
        try (var sessions = Files.newDirectoryStream(
                root.resolve("state/cagewright/sessions"), folder -> Files.exists(folder.resolve("receipt.json")))) {
            return String.valueOf(sessions.iterator().next().getFileName());
        }
    }

    private String key() {
        return root.resolve("state/cagewright/receipt-key/key.pub.hex").toString();
    }

    @Test
    void a_run_tells_its_first_key_once_and_its_receipt_is_verified() throws IOException, InterruptedException {
        var first = desk.act("exit", "3");
        var second = desk.act("exit", "0");
        var verified = desk.product("receipt", "verify", session());

        assertThat(first.exit()).isEqualTo(3);
        assertThat(first.err())
                .contains(
                        "keep this public key", Files.readString(Path.of(key())).strip());
        assertThat(second.err()).doesNotContain("public key");
        assertThat(verified.exit()).as(verified.toString()).isZero();
        assertThat(verified.out()).contains("ok: receipt of session " + session(), "the log names this receipt");
    }

    @Test
    void last_is_the_newest_session_and_nothing_before_there_is_one() throws IOException, InterruptedException {
        var none = desk.product("receipt", "verify", "last");
        assertThat(none.exit()).isNotZero();
        assertThat(none.err()).contains("there is no session yet");

        desk.act("exit", "0");
        var verified = desk.product("receipt", "verify", "last");
        assertThat(verified.exit()).as(verified.toString()).isZero();
        assertThat(verified.out()).contains("ok: receipt of session " + session());
        assertThat(desk.product("receipt", "show", "last").exit()).isZero();
    }

    @Test
    void a_receipt_is_shown_in_eighty_columns_without_what_a_terminal_obeys() throws IOException, InterruptedException {
        desk.act("exit", "3", HOSTILE);
        var shown = desk.product("receipt", "show", session());

        assertThat(shown.exit()).isZero();
        assertThat(shown.out()).contains("status 3", "decisions    1 allowed, 0 denied", "argv sha256");
        assertThat(shown.out()).doesNotContain("\033", "\007", "\u202e");
        assertThat(shown.out().lines()).noneMatch(line -> line.startsWith("{\"seq\":99}"));
        assertThat(shown.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }

    @Test
    void a_denied_run_has_a_receipt_too_and_json_says_where()
            throws IOException, InterruptedException, JsonSyntaxException {
        var denied = desk.product("run", "--json", "--policy", desk.policy(), "--", "git", "status");
        var receipt = denied.json().member("receipt").orElseThrow().write();

        assertThat(denied.exit()).isEqualTo(4);
        assertThat(receipt).contains("\"logged\":true", session() + "/receipt.json");
        assertThat(desk.product("receipt", "show", "--json", session()).json().write())
                .contains("\"cause\":\"denied\"", "\"code\":4");
    }

    @Test
    void a_receipt_that_was_changed_ends_with_one_and_says_what() throws IOException, InterruptedException {
        desk.act("exit", "0");
        var file = root.resolve("state/cagewright/sessions/" + session() + "/receipt.json");
        var copy = root.resolve("copy.json");
        Files.copy(file, copy);
        assertThat(desk.product("receipt", "verify", copy.toString()).exit()).isZero();
        Files.writeString(copy, Files.readString(file).replaceFirst("\"sig\":\"[A-Za-z0-9+/]{4}", "\"sig\":\"AAAA"));

        var changed = desk.product("receipt", "verify", copy.toString());
        assertThat(changed.exit()).isEqualTo(1);
        assertThat(changed.out()).contains("wrong: the signature is not one of key");
    }

    @Test
    void a_log_that_was_changed_does_not_agree() throws IOException, InterruptedException {
        desk.act("exit", "0");
        var log = root.resolve("other.jsonl");
        Files.writeString(log, Files.readString(desk.log()).replace("\"exit\":0", "\"exit\":1"));

        var verified = desk.product("receipt", "verify", session(), "--log", log.toString());
        assertThat(verified.exit()).isEqualTo(1);
        assertThat(verified.out()).contains("wrong: the log is broken: line 3: ");
    }

    @Test
    void a_bundle_holds_with_the_key_and_is_its_own_word_without() throws IOException, InterruptedException {
        desk.act("exit", "0");
        var bundle = root.resolve("bundle.zip").toString();

        assertThat(desk.product("evidence", "export", session(), "-o", bundle).exit())
                .isZero();
        assertThat(desk.product("evidence", "verify", bundle, "--key", key()).exit())
                .isZero();
        var unpinned = desk.product("evidence", "verify", bundle);
        assertThat(unpinned.exit()).isEqualTo(6);
        assertThat(unpinned.out()).contains("unpinned: ");
        assertThat(desk.product("evidence", "export", session(), "-o", bundle).exit())
                .isEqualTo(125);
    }

    @Test
    void a_bundle_that_was_changed_or_is_none_ends_with_one() throws IOException, InterruptedException {
        desk.act("exit", "0");
        var bundle = root.resolve("bundle.zip");
        desk.product("evidence", "export", session(), "-o", bundle.toString());
        var text = new String(Files.readAllBytes(bundle), StandardCharsets.ISO_8859_1);
        Files.write(bundle, text.replace("\"exit\":0", "\"exit\":1").getBytes(StandardCharsets.ISO_8859_1));

        var changed = desk.product("evidence", "verify", bundle.toString(), "--key", key());
        assertThat(changed.exit()).isEqualTo(1);
        assertThat(changed.out()).contains("no bundle: log/lines.jsonl is damaged: its checksum is another one");

        var none = desk.product("evidence", "verify", desk.policy());
        assertThat(none.exit()).isEqualTo(1);
        assertThat(none.out()).isEqualTo("no bundle: it is no zip archive\n");
    }
}
