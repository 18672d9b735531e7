package dev.cagewright.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A state folder on a disk that is full, read-only, or gone in the middle of a run; and clocks that jump. Each line
/// of shell has mounts of its own, which end with it.
class BadDiskTest {
    private final Trial trial;

    BadDiskTest(@TempDir Path root) throws IOException, InterruptedException {
        trial = Trial.in(Stopper.compile(), root);
        Files.createDirectories(root.resolve("state"));
    }

    @BeforeEach
    void mountsNeedRoot() {
        assumeTrue(Files.isWritable(Path.of("/")), "only root may mount a small disk outside of a user namespace");
    }

    /// `run NAME` makes a file of that name in a cage and tells its code; `$state` is the disk's place. Whoever looks
    /// into `/proc` at the wrong moment holds a file of a process that is gone, so what wants the disk to
    /// itself is `patient`.
    private static final String WORDS = """
            state=$XDG_STATE_HOME
            run() { "$product" run --policy "$policy" -- touch "$1"; echo "$1 $?"; }
            verify() { "$product" audit verify >/dev/null; echo "verify $?"; }
            disk() { mount -t tmpfs -o "mode=700,$1" none "$state" || exit 99; }
            patient() {
                for i in $(seq 200); do "$@" "$state" 2>/dev/null && return; sleep 0.1; done
                exit 98
            }
            """;

    private record Said(String out, String err) {}

    private Said shell(String line) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("unshare", "--mount", "bash", "-c", WORDS + line));
        var err = Files.createTempFile(trial.root(), "said", ".err");
        var builder =
                new ProcessBuilder(words).directory(trial.workspace().toFile()).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(trial.variables());
        builder.environment().put("product", Trial.PRODUCT.toString());
        builder.environment().put("policy", trial.root().resolve("policy.yaml").toString());
        builder.environment().put("stopper", trial.stopper().program().toString());
        var process = builder.start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out + Files.readString(err)).isZero();
        return new Said(out, Files.readString(err));
    }

    private boolean exists(String name) {
        return Files.exists(trial.workspace().resolve(name));
    }

    @Test
    void B198_a_full_disk_denies_and_once_there_is_room_again_runs_go_on() throws IOException, InterruptedException {
        var said = shell("""
                disk size=2m
                run before
                dd if=/dev/zero of="$state/fill" bs=4k 2>/dev/null
                run full
                rm "$state/fill"
                run after
                verify
                """);

        assertThat(said.out()).containsPattern("before 0\\nfull (5|125)\\nafter 0\\nverify 0\\n");
        assertThat(said.err()).contains("No space left on device").doesNotContain("internal error");
        assertThat(exists("before") && exists("after")).isTrue();
        assertThat(exists("full")).as("ran on a full disk").isFalse();
    }

    @Test
    void B198_a_disk_without_inodes_denies_and_once_there_are_some_again_runs_go_on()
            throws IOException, InterruptedException {
        var said = shell("""
                disk size=4m,nr_inodes=100
                run before
                mkdir "$state/fill"
                i=0
                while : >"$state/fill/$i"; do i=$((i + 1)); done 2>/dev/null
                run full
                rm -r "$state/fill"
                run after
                verify
                """);

        assertThat(said.out()).containsPattern("before 0\\nfull (5|125)\\nafter 0\\nverify 0\\n");
        assertThat(said.err()).contains("No space left on device").doesNotContain("internal error");
        assertThat(exists("full")).as("ran on a full disk").isFalse();
    }

    @Test
    void B198_a_read_only_disk_denies_and_says_so() throws IOException, InterruptedException {
        var said = shell("""
                disk size=4m
                run before
                patient mount -o remount,ro
                run readonly
                patient mount -o remount,rw
                run after
                verify
                """);

        assertThat(said.out()).containsPattern("before 0\\nreadonly (5|125)\\nafter 0\\nverify 0\\n");
        assertThat(said.err()).contains("Read-only file system").doesNotContain("internal error");
        assertThat(exists("readonly")).as("ran without a record").isFalse();
    }

    @Test
    void a_disk_that_fills_while_a_program_runs_keeps_the_programs_code_and_the_log_whole()
            throws IOException, InterruptedException {
        var said = shell("""
                disk size=2m
                run before
                "$stopper" report "init vfork #1" "sh:dd if=/dev/zero of=$state/fill bs=4k 2>/dev/null; true" \\
                    "$product" run --policy "$policy" -- touch full
                grep -a -e ^struck -e ^end report
                rm report "$state/fill"
                run after
                verify
                """);

        assertThat(said.out()).isEqualTo("before 0\nstruck done\nend 0\nafter 0\nverify 0\n");
        assertThat(said.err()).contains("unrecorded: ").contains("No space left on device");
        assertThat(exists("full")).isTrue();
    }

    @Test
    void a_disk_that_is_gone_while_a_program_runs_is_told_and_back_again_the_log_is_whole()
            throws IOException, InterruptedException {
        var said = shell("""
                disk size=4m
                run before
                "$stopper" report "init vfork #1" "sh:mount -t tmpfs -o ro none $state" \\
                    "$product" run --policy "$policy" -- touch gone
                grep -a -e ^struck -e ^end report
                rm report
                patient umount
                run after
                verify
                """);

        assertThat(said.out()).isEqualTo("before 0\nstruck done\nend 0\nafter 0\nverify 0\n");
        assertThat(said.err()).contains("unrecorded: ").contains("interrupted: touch gone");
        assertThat(exists("gone")).isTrue();
    }

    @Test
    void a_clock_that_was_set_back_never_makes_the_log_go_back() throws IOException, InterruptedException {
        var tomorrow = Instant.now().plus(Duration.ofDays(1));
        Files.createDirectories(trial.state());
        try (var log = AuditLog.open(trial.log(), () -> tomorrow)) {
            log.append(Event.note(
                    Origin.of("aaaaaaaaaa", "clock"),
                    Json.object().put("name", "clock").build(),
                    JsonObject.EMPTY));
        }
        assertThat(trial.afterNextStart()).isEmpty();

        var times = new ArrayList<Instant>();
        new EventReader(trial.log()).newestFirst(EventQuery.ALL, line -> {
            if (line instanceof StoredLine.Whole(var whole)) {
                times.add(whole.time());
            }
        });
        assertThat(times).hasSizeGreaterThan(3);
        assertThat(times.reversed()).isSorted();
        assertThat(times.getFirst())
                .as("the time of the last line")
                .isAfter(Instant.now().plus(Duration.ofHours(23)));
    }
}
