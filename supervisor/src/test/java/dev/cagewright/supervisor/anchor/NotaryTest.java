package dev.cagewright.supervisor.anchor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.checkpoint.TreeFile;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.merkle.TreeHash;
import dev.cagewright.audit.merkle.TreeHead;
import dev.cagewright.audit.verify.GrowingLog;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotaryTest {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");

    @TempDir
    Path folder;

    private Path log = Path.of("");

    @BeforeEach
    void make_a_key_and_a_log() throws IOException {
        log = folder.resolve("log");
        SigningKey.generate(folder.resolve("k"));
        append(4);
    }

    @Test
    void a_file_gets_every_checkpoint_and_the_verifier_takes_all_of_them()
            throws IOException, BrokenChainException, InterruptedException {
        var file = folder.resolve("anchored");
        var first = sign(new Anchor.OfFile(file));
        append(3);
        var second = sign(new Anchor.OfFile(file));

        assertThat(first.failures()).isEmpty();
        assertThat(CheckpointFiles.readAll(file)).containsExactly(first.checkpoint(), second.checkpoint());
        assertThat(second.checkpoint().seq()).isEqualTo(8);
        Files.delete(second.file());
        var verdict =
                LogVerifier.of(log).pinned(key().publicKey()).anchored(file).verify();
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Intact.class,
                        intact -> assertThat(intact.anchored()).isEqualTo(8));
    }

    @Test
    void an_address_gets_the_note_and_its_answer_counts()
            throws IOException, BrokenChainException, InterruptedException {
        try (var server = new NoteServer(204, 507)) {
            var good = server.address() + "/notes";
            var full = server.address() + "/full";
            var signed = sign(Anchor.parse(good), Anchor.parse(full));

            assertThat(server.bodies.poll(20, TimeUnit.SECONDS))
                    .isEqualTo(new String(signed.checkpoint().bytes(), UTF_8));
            assertThat(signed.failures())
                    .containsExactly(new Notary.Failure(full, "anchor " + full + ": answered 507"));
        }
    }

    /// Answers one request after the other with the given codes, and keeps their bodies.
    private static final class NoteServer implements AutoCloseable {
        final ArrayBlockingQueue<String> bodies = new ArrayBlockingQueue<>(4);
        private final ServerSocket socket = new ServerSocket(0, 4, InetAddress.getLoopbackAddress());

        NoteServer(int... codes) throws IOException {
            Thread.ofVirtual().start(() -> serve(codes));
        }

        String address() {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }

        private void serve(int... codes) {
            for (int code : codes) {
                try (var connection = socket.accept()) {
                    var in = new DataInputStream(connection.getInputStream());
                    var head = new StringBuilder();
                    while (head.indexOf("\r\n\r\n") < 0) {
                        head.append((char) in.readUnsignedByte());
                    }
                    var length = LENGTH.matcher(head);
                    bodies.add(
                            length.find() ? new String(in.readNBytes(Integer.parseInt(length.group(1))), UTF_8) : "");
                    var answer = "HTTP/1.1 " + code + " Told\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                    connection.getOutputStream().write(answer.getBytes(UTF_8));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void an_anchor_that_cannot_be_reached_is_told_and_recorded_and_the_others_still_get_theirs()
            throws IOException, BrokenChainException, InterruptedException {
        int closed;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        var address = "http://127.0.0.1:" + closed + "/notes";
        var good = folder.resolve("good");
        var signed =
                sign(Anchor.parse(address), new Anchor.OfFile(folder.resolve("none/file")), new Anchor.OfFile(good));

        assertThat(signed.failures())
                .extracting(Notary.Failure::anchor)
                .containsExactly(address, folder.resolve("none/file").toString());
        assertThat(CheckpointFiles.readAll(good)).containsExactly(signed.checkpoint());
        assertThat(Files.readAllLines(log).subList(5, 7))
                .allMatch(line -> line.contains("\"action\":{\"name\":\"audit.anchor\"}")
                        && line.contains("\"line\":5,\"failed\":\""));
        assertThat(LogVerifier.of(log).verify()).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void a_link_is_not_followed_and_a_line_is_signed_once()
            throws IOException, BrokenChainException, InterruptedException {
        var target = Files.createFile(folder.resolve("target"));
        var link = Files.createSymbolicLink(folder.resolve("link"), target);

        var signed = sign(new Anchor.OfFile(link));
        assertThat(signed.failures()).hasSize(1);
        assertThat(target).isEmptyFile();

        var again = sign();
        assertThat(again.checkpoint().seq()).isEqualTo(6);
        assertThat(sign().checkpoint()).isEqualTo(again.checkpoint());
    }

    @Test
    void signing_goes_on_from_the_tree_that_its_own_checkpoint_vouches_for()
            throws IOException, BrokenChainException, InterruptedException {
        var first = sign();
        assertThat(TreeFile.of(log, first.checkpoint())).isPresent();
        append(6);
        var second = sign();

        var intact =
                (Verdict.Intact) LogVerifier.of(log).pinned(key().publicKey()).verify();
        assertThat(second.checkpoint().tree()).isEqualTo(intact.state().tree());
        assertThat(intact.anchored()).isEqualTo(11);
    }

    @Test
    void a_tree_that_nobody_vouches_for_is_not_believed()
            throws IOException, BrokenChainException, InterruptedException {
        sign();
        append(2);
        var tree = TreeFile.beside(log);
        var lines = Files.readAllLines(tree);
        lines.set(3, lines.get(4));
        Files.write(tree, lines);
        var second = sign();

        var intact =
                (Verdict.Intact) LogVerifier.of(log).pinned(key().publicKey()).verify();
        assertThat(second.checkpoint().tree()).isEqualTo(intact.state().tree());
    }

    @Test
    void a_log_that_was_written_anew_is_not_signed_again()
            throws IOException, BrokenChainException, InterruptedException {
        sign();
        replaceByAnotherOf(9);

        assertThatThrownBy(this::sign)
                .isInstanceOf(BrokenChainException.class)
                .hasMessage("the log is not the one that the checkpoint of line 5 was signed for");
        replaceByAnotherOf(2);
        assertThatThrownBy(this::sign)
                .isInstanceOf(BrokenChainException.class)
                .hasMessage("the log ends here, but a checkpoint was signed for line 5");
    }

    @Test
    void a_followed_log_is_signed_whenever_enough_lines_were_added()
            throws IOException, BrokenChainException, InterruptedException {
        var signed = new ArrayBlockingQueue<Notary.Signed>(8);
        try (var followers = Executors.newSingleThreadExecutor()) {
            var following = followers.submit(() -> follow(notary(), Cadence.parse(List.of("3")), signed));
            try {
                assertThat(next(signed).seq()).isEqualTo(5);
                append(2);
                append(1);
                assertThat(next(signed).seq()).isEqualTo(8);
                assertThat(following.isDone()).isFalse();
            } finally {
                followers.shutdownNow();
            }
        }
    }

    @Test
    void a_followed_log_is_not_signed_for_the_failures_of_its_anchors()
            throws IOException, BrokenChainException, InterruptedException {
        var signed = new ArrayBlockingQueue<Notary.Signed>(64);
        try (var followers = Executors.newSingleThreadExecutor()) {
            var following = followers.submit(() -> follow(
                    notary(new Anchor.OfFile(folder.resolve("none/file"))), Cadence.parse(List.of("1")), signed));
            try {
                assertThat(next(signed).seq()).isEqualTo(5);
                append(1);
                assertThat(next(signed).seq()).isEqualTo(7);
                append(1);
                assertThat(next(signed).seq()).isEqualTo(9);
                assertThat(following.isDone()).isFalse();
            } finally {
                followers.shutdownNow();
            }
        }
    }

    @Test
    void a_checkpoint_is_there_as_a_whole_or_not_at_all()
            throws IOException, BrokenChainException, InterruptedException {
        var signed = sign();
        append(1);
        var foreign = SigningKey.generate(folder.resolve("other"));
        var files = new CheckpointFiles(log);

        assertThatThrownBy(() -> files.write(signed.checkpoint()))
                .hasMessage("line 5 is signed already by " + signed.file());
        try (var names = Files.list(folder)) {
            assertThat(names).noneMatch(name -> name.toString().contains("unfinished"));
        }
        assertThat(signed.checkpoint().signedBy(foreign)).isFalse();
        assertThat(Checkpoint.read(signed.file())).isEqualTo(signed.checkpoint());
    }

    @Test
    void a_cadence_counts_lines_and_time() {
        var now = Instant.parse("2026-01-02T03:04:05Z");
        var newest = Optional.of(new Checkpoint(
                "0".repeat(32),
                new TreeHead(10, TreeHash.EMPTY),
                "0".repeat(64),
                "2026-01-02T03:00:00.000000Z",
                List.of()));

        assertThat(Cadence.parse(List.of()).isDue(11, newest, now)).isTrue();
        assertThat(Cadence.parse(List.of()).isDue(10, newest, now)).isFalse();
        assertThat(Cadence.parse(List.of("5")).isDue(14, newest, now)).isFalse();
        assertThat(Cadence.parse(List.of("5")).isDue(15, newest, now)).isTrue();
        assertThat(Cadence.parse(List.of("5m")).isDue(99, newest, now)).isFalse();
        assertThat(Cadence.parse(List.of("4m")).isDue(11, newest, now)).isTrue();
        assertThat(Cadence.parse(List.of("4m")).isDue(10, newest, now)).isFalse();
        assertThat(Cadence.parse(List.of("100", "4m")).isDue(11, newest, now)).isTrue();
        assertThat(Cadence.parse(List.of("100", "4m")).text()).isEqualTo("after 100 lines or 4m");
        assertThatThrownBy(() -> Cadence.parse(List.of("0"))).hasMessageStartingWith("--every: \"0\" (expected: ");
    }

    @Test
    void places_are_files_and_http_addresses() {
        assertThat(Anchor.parse("/mnt/notes")).isEqualTo(new Anchor.OfFile(Path.of("/mnt/notes")));
        assertThat(Anchor.parse("https://notes.example/log"))
                .isEqualTo(new Anchor.OfAddress(URI.create("https://notes.example/log")));
        for (var wrong : List.of("ftp://notes.example/", "http://", "http:// blank/", "file:///etc/passwd")) {
            assertThatThrownBy(() -> Anchor.parse(wrong))
                    .hasMessage(
                            "--anchor: \"" + wrong + "\" (expected: a file, or an address with http:// or https://)");
        }
    }

    @Test
    void a_schedule_is_kept_shown_and_removed() throws IOException, BrokenChainException, InterruptedException {
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var schedule = new Schedule(
                folder.resolve("k.secret.hex"), new Cadence(7, Duration.ofMinutes(5)), List.of("/mnt/notes"));

        assertThat(Schedule.load(folders)).isEmpty();
        schedule.store(folders);
        assertThat(Schedule.load(folders)).contains(schedule);
        Files.writeString(folder.resolve("state/checkpoints.json"), "{\"events\":0}");
        assertThatThrownBy(() -> Schedule.load(folders))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("checkpoints.json is no schedule of checkpoints: ");
        assertThat(Schedule.remove(folders)).isTrue();
        assertThat(Schedule.load(folders)).isEmpty();
    }

    private Void follow(Notary notary, Cadence cadence, ArrayBlockingQueue<Notary.Signed> signed)
            throws IOException, BrokenChainException, InterruptedException {
        try (var growing = GrowingLog.open(log, key().publicKey())) {
            notary.follow(growing, cadence, signed::add);
        }
        throw new IllegalStateException("following ended by itself");
    }

    private static Checkpoint next(ArrayBlockingQueue<Notary.Signed> signed) throws InterruptedException {
        var next = signed.poll(60, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next.checkpoint();
    }

    private Notary.Signed sign(Anchor... anchors) throws IOException, BrokenChainException, InterruptedException {
        try (var growing = GrowingLog.open(log, key().publicKey())) {
            return notary(anchors).sign(growing);
        }
    }

    private Notary notary(Anchor... anchors) throws IOException {
        return new Notary(log, key(), List.of(anchors), InstantSource.system());
    }

    private SigningKey key() throws IOException {
        assertThat(PinnedKey.read(folder.resolve("k.pub.hex")).hex()).hasSize(64);
        return SigningKey.read(folder.resolve("k.secret.hex"));
    }

    private void replaceByAnotherOf(int events) throws IOException {
        var other = Files.createTempDirectory(folder, "other").resolve("log");
        append(other, events);
        Files.move(other, log, StandardCopyOption.REPLACE_EXISTING);
    }

    private void append(int events) throws IOException {
        append(log, events);
    }

    private static void append(Path path, int events) throws IOException {
        try (var open = AuditLog.open(path, InstantSource.system())) {
            for (int i = 0; i < events; i++) {
                open.append(Event.note(
                        Origin.of("k3v9x2m4qp", "analysis"),
                        Json.object().put("name", "run.note").build(),
                        JsonObject.EMPTY));
            }
        }
    }
}
