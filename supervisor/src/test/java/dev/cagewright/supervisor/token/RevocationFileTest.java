package dev.cagewright.supervisor.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.TokenFault;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.UnknownRevocationsException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevocationFileTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private static final RevId ROOT = new RevId("root-1");

    @TempDir
    private Path folder;

    private final TokenKey key = TokenKey.of(new byte[TokenKey.LENGTH]);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private StateFolders folders = new StateFolders(Path.of("/none"), Path.of("/none"));

    @BeforeEach
    void place() {
        folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
    }

    private RevocationFile file() throws IOException {
        return RevocationFile.of(folders, key, Optional.empty(), () -> now);
    }

    private RevocationFile named(Path path) throws IOException {
        return RevocationFile.of(folders, key, Optional.of(path), InstantSource.fixed(now));
    }

    @Test
    void what_is_added_is_read_and_counted() throws IOException, UnknownRevocationsException {
        file().beginIfNew();
        assertThat(file().read().counter()).isEqualTo(1);
        assertThat(file().add(ROOT).counter()).isEqualTo(2);
        assertThat(file().add(ROOT).counter()).isEqualTo(2);
        assertThat(file().read().firstOf(List.of(ROOT))).contains(ROOT);
        assertThat(Files.getPosixFilePermissions(file().path())).hasSize(2);
    }

    @Test
    void B188_a_list_that_is_not_there_is_no_empty_one() throws IOException {
        assertThatThrownBy(() -> file().read())
                .isInstanceOf(UnknownRevocationsException.class)
                .hasMessage("there is no list of what is revoked, " + file().path()
                        + "; cagewright token revoke --begin --key-hex KEY begins one");
    }

    @Test
    void B188_a_list_that_went_away_stays_away() throws IOException {
        file().add(ROOT);
        Files.delete(file().path());
        file().beginIfNew();
        assertThatThrownBy(() -> file().read()).isInstanceOf(UnknownRevocationsException.class);
        assertThatThrownBy(() -> file().add(new RevId("x"))).isInstanceOf(IOException.class);
    }

    @Test
    void B188_an_older_list_than_one_that_was_seen_is_refused() throws IOException, UnknownRevocationsException {
        file().beginIfNew();
        var old = Files.readAllBytes(file().path());
        file().add(ROOT);
        Files.write(file().path(), old);
        assertThatThrownBy(() -> file().read())
                .isInstanceOf(UnknownRevocationsException.class)
                .hasMessageEndingWith("it is older than one seen before: its counter is 1, and 2 was seen");

        var elsewhere = folder.resolve("copy");
        Files.write(elsewhere, old);
        assertThatThrownBy(() -> named(elsewhere).read()).isInstanceOf(UnknownRevocationsException.class);
    }

    @Test
    void B188_two_lists_with_one_counter_are_one_too_many() throws IOException, UnknownRevocationsException {
        var one = named(folder.resolve("one"));
        one.beginIfNew();
        assertThat(one.read().counter()).isEqualTo(1);
        var first = Files.readAllBytes(one.path());
        one.add(new RevId("a"));
        var other = new StateFolders(folder.resolve("config2"), folder.resolve("state2"));
        Files.write(folder.resolve("two"), first);
        var two = RevocationFile.of(other, key, Optional.of(folder.resolve("two")), () -> now);
        two.add(new RevId("b"));

        assertThatThrownBy(() -> named(folder.resolve("two")).read())
                .hasMessageEndingWith("another list with the same counter, 2, was seen before");
    }

    @Test
    void B188_what_is_no_list_is_refused_by_what_it_is() throws IOException {
        file().beginIfNew();
        var good = Files.readAllBytes(file().path());
        for (byte[] other : List.of(
                new byte[0],
                Arrays.copyOf(good, good.length - 1),
                Arrays.copyOf(good, good.length / 2),
                "{\"revoked\":[\"root-1\"]}".getBytes(StandardCharsets.US_ASCII))) {
            Files.write(file().path(), other);
            assertThatThrownBy(() -> file().read())
                    .isInstanceOf(UnknownRevocationsException.class)
                    .hasMessageStartingWith("the list of what is revoked, " + file().path() + ", is refused: ");
        }
        Files.delete(file().path());
        Files.createDirectory(file().path());
        assertThatThrownBy(() -> file().read())
                .isInstanceOf(UnknownRevocationsException.class)
                .hasMessageStartingWith("the list of what is revoked cannot be read: ");
        Files.delete(file().path());
        Files.createSymbolicLink(file().path(), Files.write(folder.resolve("aside"), good));
        assertThatThrownBy(() -> file().read()).isInstanceOf(UnknownRevocationsException.class);
    }

    @Test
    void B192_a_clock_that_went_back_is_told() throws IOException, UnknownRevocationsException {
        file().beginIfNew();
        now = now.plusSeconds(100_000);
        file().read();
        now = now.minusSeconds(86_400);
        assertThatThrownBy(() -> file().read())
                .isInstanceOfSatisfying(
                        UnknownRevocationsException.class,
                        e -> assertThat(e.fault()).isEqualTo(TokenFault.CLOCK))
                .hasMessageEndingWith(
                        "this machine's clock is 86400 s behind a time that it has shown already; set it right");
        now = now.plusSeconds(86_400 - 59);
        assertThat(file().read().counter()).isEqualTo(1);
    }

    @Test
    void a_note_of_what_was_seen_that_says_nothing_refuses() throws IOException, UnknownRevocationsException {
        file().beginIfNew();
        file().read();
        Files.writeString(folders.tokens().resolve(key.id() + ".seen"), "counter 0\n");
        assertThatThrownBy(() -> file().read())
                .isInstanceOf(UnknownRevocationsException.class)
                .hasMessageContaining("does not say what was seen before");
    }

    @Test
    void many_at_once_lose_nothing()
            throws IOException, ExecutionException, InterruptedException, UnknownRevocationsException {
        try (var pool = Executors.newFixedThreadPool(8)) {
            var all = new ArrayList<Future<?>>();
            for (int i = 0; i < 40; i++) {
                var rev = new RevId("r" + i);
                all.add(pool.submit(() -> file().add(rev)));
            }
            for (var each : all) {
                each.get();
            }
        }
        assertThat(file().read().revoked()).hasSize(40);
        assertThat(file().read().counter()).isEqualTo(41);
    }

    @Test
    void B188_a_list_is_looked_at_again_while_somebody_asks()
            throws IOException, InterruptedException, UnknownRevocationsException {
        file().beginIfNew();
        var live = new LiveRevocations(file());
        assertThat(live.firstOf(List.of(ROOT))).isEmpty();
        file().add(ROOT);
        await(() -> live.firstOf(List.of(ROOT)).isPresent());

        var text = Files.readAllBytes(file().path());
        Files.delete(file().path());
        await(() -> isUnknown(live));
        Files.write(file().path(), text);
        await(() -> !isUnknown(live) && live.firstOf(List.of(ROOT)).isPresent());
    }

    private static boolean isUnknown(LiveRevocations live) {
        try {
            live.firstOf(List.of(ROOT));
            return false;
        } catch (UnknownRevocationsException _) {
            return true;
        }
    }

    private interface Question {
        boolean ask() throws UnknownRevocationsException;
    }

    private static void await(Question question) throws InterruptedException, UnknownRevocationsException {
        long end = System.nanoTime() + PATIENCE;
        while (!question.ask()) {
            assertThat(System.nanoTime()).as("still not so").isLessThan(end);
            Thread.sleep(LiveRevocations.PAUSE);
        }
    }
}
