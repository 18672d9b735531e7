package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checkpoints and proofs of a log that real runs wrote: made by the product, checked by the product, by the audit jar
/// alone and by Python.
class TransparencyTest {
    private final Desk desk;
    private final Path root;

    TransparencyTest(@TempDir Path root) throws IOException {
        this.root = root;
        desk = Desk.in(root);
    }

    @Test
    void a_line_is_proven_to_somebody_who_has_the_public_key_and_nothing_else()
            throws IOException, InterruptedException {
        desk.act("exit", "0");
        ok("audit", "keygen", "--out-prefix", at("k"));
        ok("audit", "checkpoint", "--key-hex", at("k.secret.hex"), "--anchor", at("anchored"));
        var old = Files.readAllBytes(root.resolve("anchored"));
        Files.write(root.resolve("old"), old);
        desk.act("exit", "0");
        ok("audit", "checkpoint", "--key-hex", at("k.secret.hex"), "--anchor", at("anchored"));
        ok("audit", "prove", "2", "-o", at("proof"));
        ok("audit", "prove", "--since", at("old"), "-o", at("grown"));

        assertThat(ok("audit", "verify-proof", at("proof"), "--key", at("k.pub.hex")))
                .startsWith("ok: line 2 of log ");
        assertThat(ok("audit", "verify-proof", at("grown"), "--key", at("k.pub.hex"), "--since", at("old")))
                .contains(" only grew, from ");
        assertThat(ok(
                        "audit",
                        "verify",
                        "--key",
                        at("k.pub.hex"),
                        "--since",
                        at("old"),
                        "--checkpoint",
                        at("anchored")))
                .contains("grown only: it begins with the lines of ");

        var altered = Files.readString(root.resolve("proof")).replace("index 1\n", "index 2\n");
        Files.writeString(root.resolve("altered"), altered);
        var refused = desk.product("audit", "verify-proof", at("altered"), "--key", at("k.pub.hex"));
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.out()).startsWith("not proven: the line is not line 3 of the log");
    }

    @Test
    void a_scheduled_run_signs_when_it_ends_and_a_lost_anchor_costs_no_exit_code()
            throws IOException, InterruptedException {
        ok("audit", "keygen", "--out-prefix", at("k"));
        ok("audit", "schedule", "--key-hex", at("k.secret.hex"), "--anchor", at("anchored"));
        assertThat(desk.act("exit", "7").exit()).isEqualTo(7);
        assertThat(root.resolve("anchored")).content().startsWith("cagewright.dev/log/");
        assertThat(ok("audit", "verify", "--key", at("k.pub.hex"), "--require-anchored"))
                .contains("checkpoints verified: 1");

        ok("audit", "schedule", "--key-hex", at("k.secret.hex"), "--anchor", at("gone/anchored"));
        var lost = desk.act("exit", "7");
        assertThat(lost.exit()).isEqualTo(7);
        assertThat(lost.err()).contains("checkpoint: anchor " + at("gone/anchored") + " failed: ");
        assertThat(ok("audit", "events")).contains("audit.anchor");
        ok("audit", "schedule", "--off");
        assertThat(ok("audit", "schedule")).isEqualTo("nothing is scheduled\n");
    }

    private String at(String name) {
        return root.resolve(name).toString();
    }

    private String ok(String... words) throws IOException, InterruptedException {
        var result = desk.product(List.of(words));
        assertThat(result.exit()).as(result.toString()).isZero();
        return result.out();
    }
}
