package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Disks that take nothing more.
class FullDiskTest {
    @TempDir
    Path folder;

    @Test
    void B198_a_full_disk_denies_and_recovers_when_there_is_room() throws IOException, InterruptedException {
        var lines = mounted("mount -t tmpfs -o size=64k none " + folder + " && exec \"$@\"", "fill");

        assertThat(lines)
                .containsExactly("denied No space left on device", "then Intact", "recovered 1", "at last Intact");
    }

    @Test
    void B198_a_limit_on_the_size_of_files_denies_and_kills_nobody() throws Exception {
        var log = folder.resolve("log");
        var script = List.of("sh", "-c", "ulimit -f 40; exec \"$@\"", "sh");
        try (var child = Child.start(script, "fill", log.toString())) {
            assertThat(child.next()).isEqualTo("denied File too large");
            assertThat(child.next()).isEqualTo("then Intact");
        }
        assertThat(Files.size(log)).isLessThanOrEqualTo(40 << 10);
    }

    @Test
    void B198_a_read_only_disk_denies() throws IOException, InterruptedException {
        SampleLog.write(folder.resolve("log"), 3);
        var mount = "mount --bind " + folder + " " + folder + " && mount -o remount,bind,ro " + folder;
        var lines = mounted(mount + " && exec \"$@\"", "append", "p", "1");

        assertThat(lines).containsExactly("denied " + folder.resolve("log.lock") + ": Read-only file system");
    }

    @Test
    void B198_a_device_that_is_full_is_no_log() {
        assertThatThrownBy(() -> AuditLog.open(Path.of("/dev/full"), InstantSource.system()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_flush_that_fails_acknowledges_nothing_and_leaves_nothing() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 3);
        var before = Files.readAllBytes(path);
        var plan = new StoppingChannel.Plan(2, 0, 0, () -> {
            throw new UncheckedIOException(new IOException("Input/output error"));
        });
        try (var log = AuditLog.open(path, InstantSource.system(), plan, AuditLog.PATIENCE)) {
            assertThatThrownBy(() -> log.append(intent("a-1", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Input/output error");
            assertThat(Files.readAllBytes(path)).isEqualTo(before);
            assertThat(log.append(intent("a-2", "allow")).seq()).isEqualTo(5);
        }
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void a_write_that_fails_halfway_acknowledges_nothing_and_leaves_nothing() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 3);
        var before = Files.readAllBytes(path);
        var plan = new StoppingChannel.Plan(1, 1, 0.5, () -> {
            throw new UncheckedIOException(new IOException("No space left on device"));
        });
        try (var log = AuditLog.open(path, InstantSource.system(), plan, AuditLog.PATIENCE)) {
            assertThatThrownBy(() -> log.append(intent("a-1", "allow"))).isInstanceOf(IOException.class);
            assertThat(Files.readAllBytes(path)).isEqualTo(before);
            assertThat(log.append(intent("a-2", "allow")).seq()).isEqualTo(5);
        }
    }

    private List<String> mounted(String mount, String mode, String... more) throws IOException, InterruptedException {
        var script = List.of("unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh");
        var arguments = new ArrayList<>(List.of(mode, folder.resolve("log").toString()));
        arguments.addAll(List.of(more));
        try (var child = Child.start(script, arguments.toArray(String[]::new))) {
            var lines = child.rest();
            assertThat(child.exit()).as(lines.toString()).isZero();
            return lines;
        }
    }
}
