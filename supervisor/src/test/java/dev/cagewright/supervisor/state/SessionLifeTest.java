package dev.cagewright.supervisor.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One session is held once, whoever asks, and by whatever name they know its folder. Whether the kernel still has
/// the lock is read from `/proc/locks`, as another process would feel it.
class SessionLifeTest {
    private static final int THREADS = 16;

    @TempDir
    private Path root;

    private Path folder = Path.of("");
    private Path link = Path.of("");

    @BeforeEach
    void make() throws IOException {
        folder = Files.createDirectories(root.resolve("sessions/abcdefghij"));
        link = Files.createSymbolicLink(root.resolve("link"), root.resolve("sessions"))
                .resolve("abcdefghij");
    }

    @Test
    void another_name_of_the_folder_is_refused_and_takes_no_lock_away() throws IOException {
        try (var _ = SessionLife.begin(folder)) {
            assertThatThrownBy(() -> SessionLife.begin(link))
                    .isInstanceOf(IOException.class)
                    .hasMessage("session " + link + " is in use by this process");
            assertThat(SessionLife.takeOver(link)).isEmpty();
            assertThat(SessionLife.isAlive(link)).isTrue();

            assertThat(isLocked()).as("the kernel's lock").isTrue();
        }
        assertThat(isLocked()).isFalse();
        assertThat(SessionLife.isAlive(link)).isFalse();
    }

    @Test
    void of_many_threads_one_holds_it_and_the_others_leave_its_lock_alone()
            throws IOException, InterruptedException, ExecutionException {
        var held = new ArrayList<Future<Boolean>>();
        try (var _ = SessionLife.begin(folder);
                var threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                var name = i % 2 == 0 ? folder : link;
                held.add(threads.submit(() -> SessionLife.takeOver(name).isPresent() || !SessionLife.isAlive(name)));
            }
            for (var one : held) {
                assertThat(one.get()).isFalse();
            }
            assertThat(isLocked()).as("the kernel's lock").isTrue();
        }
        try (var again = SessionLife.takeOver(link).orElseThrow()) {
            assertThat(again).isNotNull();
            assertThat(isLocked()).isTrue();
        }
    }

    @Test
    void a_session_whose_folder_is_gone_is_neither_alive_nor_taken() throws IOException {
        var gone = root.resolve("sessions/aaaaaaaaaa");

        assertThat(SessionLife.isAlive(gone)).isFalse();
        assertThat(SessionLife.takeOver(gone)).isEmpty();
        assertThatThrownBy(() -> SessionLife.begin(gone)).isInstanceOf(IOException.class);
    }

    /// proc_locks(5): `1: POSIX  ADVISORY  WRITE 1234 fd:00:123456 0 EOF`.
    private boolean isLocked() throws IOException {
        var mine = " WRITE " + ProcessHandle.current().pid() + " ";
        var inode = ":" + Files.getAttribute(folder.resolve("alive"), "unix:ino") + " ";
        return Files.readAllLines(Path.of("/proc/locks")).stream()
                .anyMatch(line -> line.contains(mine) && line.contains(inode));
    }
}
