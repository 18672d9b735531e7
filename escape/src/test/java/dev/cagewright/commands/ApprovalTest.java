package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A program that a person has to agree to, with the packaged product: who is asked, and what each answer does.
class ApprovalTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final Desk desk;

    ApprovalTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root);
    }

    private String asking(String timeout) throws IOException {
        var text = Files.readString(Path.of(desk.policy())) + "approval: {timeout: " + timeout
                + ", require_for: [proc.exec: {}]}\n";
        return desk.write("asking.yaml", text);
    }

    private List<String> run(String timeout, String how, String... words) throws IOException {
        var all = new ArrayList<>(List.of(
                Desk.PRODUCT.toString(), "run", "--policy", asking(timeout), "--approvals", how, "--", desk.act()));
        all.addAll(List.of(words));
        return all;
    }

    private Desk.Result product(List<String> words) throws IOException, InterruptedException {
        return desk.product(words.subList(1, words.size()));
    }

    /// A run that waits, and the question it waits for.
    private final class Waiting implements AutoCloseable {
        private final Process process;
        private final JsonObject question;

        Waiting(List<String> words) throws IOException, InterruptedException, JsonSyntaxException {
            process = desk.start(words, ProcessBuilder.Redirect.DISCARD);
            process.getOutputStream().close();
            question = question();
        }

        private JsonObject question() throws IOException, InterruptedException, JsonSyntaxException {
            long end = System.nanoTime() + PATIENCE;
            while (System.nanoTime() < end) {
                var shown = desk.product("approvals", "--json");
                if (Json.parse(shown.outBytes()) instanceof JsonArray(var items)
                        && !items.isEmpty()
                        && items.getFirst() instanceof JsonObject first) {
                    return first;
                }
            }
            throw new AssertionError("nothing waits");
        }

        String id() {
            return question.text("id").orElseThrow();
        }

        String out() throws IOException {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }

        int end() throws InterruptedException {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    @Test
    void where_nobody_can_be_asked_the_run_ends_with_3_at_once() throws IOException, InterruptedException {
        for (String how : List.of("ask", "never")) {
            var result = product(run("10m", how, "exit", "0"));

            assertThat(result.exit()).as(result.toString()).isEqualTo(3);
            assertThat(result.err()).contains("approval.require_for[0]");
        }
    }

    @Test
    void an_approved_program_runs_once_and_a_late_answer_is_refused()
            throws IOException, InterruptedException, JsonSyntaxException {
        try (var waiting = new Waiting(run("10m", "wait", "say", "hello"))) {
            var listed = desk.product("approvals");
            assertThat(listed.out()).contains(waiting.id(), "proc.exec");

            var approved = desk.product("approve", waiting.id());

            assertThat(approved.exit()).as(approved.toString()).isZero();
            assertThat(waiting.out()).isEqualTo("hello");
            assertThat(waiting.end()).isZero();
            var again = desk.product("approve", waiting.id());
            assertThat(again.exit()).isEqualTo(1);
            assertThat(again.err()).contains("answered before: agreed");
            assertThat(desk.product("why", waiting.id()).out()).contains("agreed", "allow");
        }
    }

    @Test
    void a_refused_program_does_not_run() throws IOException, InterruptedException, JsonSyntaxException {
        try (var waiting = new Waiting(run("10m", "wait", "say", "hello"))) {
            assertThat(desk.product("deny", waiting.id()).exit()).isZero();

            assertThat(waiting.out()).isEmpty();
            assertThat(waiting.end()).isEqualTo(3);
        }
    }

    @Test
    void silence_is_denial() throws IOException, InterruptedException {
        var result = product(run("200ms", "wait", "say", "hello"));

        assertThat(result.exit()).as(result.toString()).isEqualTo(3);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("nobody agreed");
    }

    @Test
    void B236_what_was_changed_after_it_was_shown_does_not_run()
            throws IOException, InterruptedException, JsonSyntaxException {
        var script = Files.writeString(desk.workspace().resolve("data"), "shown");
        try (var waiting = new Waiting(run("10m", "wait", "say", "data"))) {
            Files.writeString(script, "other");
            assertThat(desk.product("approve", waiting.id()).exit()).isZero();

            assertThat(waiting.out()).isEmpty();
            assertThat(waiting.end()).isEqualTo(3);
            assertThat(desk.product("why", waiting.id()).out()).contains("changed after it had been shown");
        }
    }

    @Test
    void a_watcher_makes_runs_ask() throws IOException, InterruptedException, JsonSyntaxException {
        var watcher = desk.start(
                List.of(Desk.PRODUCT.toString(), "approvals", "--watch", "--json"), ProcessBuilder.Redirect.DISCARD);
        try (var lines = watcher.inputReader(StandardCharsets.UTF_8)) {
            long end = System.nanoTime() + PATIENCE;
            while (!isWatched() && System.nanoTime() < end) {
                LockSupport.parkNanos(5_000_000);
            }
            try (var waiting = new Waiting(run("10m", "ask", "say", "hello"))) {
                assertThat(lines.readLine()).contains(waiting.id());
                assertThat(desk.product("approve", waiting.id()).exit()).isZero();
                assertThat(waiting.end()).isZero();
            }
        } finally {
            watcher.destroy();
            watcher.waitFor();
        }
    }

    /// Who watches has a lock on the file; that it is there says less.
    private boolean isWatched() throws IOException {
        try (var file = FileChannel.open(desk.root().resolve("state/cagewright/watchers"), StandardOpenOption.WRITE);
                var lock = file.tryLock()) {
            return lock == null;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    @Test
    void an_id_that_nobody_knows_is_said_so() throws IOException, InterruptedException {
        var unknown = desk.product("approve", "abcdefghij-7");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).contains("waits for no answer");
        assertThat(desk.product("approve", "../../x").exit()).isEqualTo(2);
        assertThat(desk.product("approvals").err()).contains("nothing waits");
    }
}
