package dev.cagewright.sandbox.protect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CopiedPlaceholdersTest {
    private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06.123456789Z");

    @TempDir
    private Path folder;

    private Path upper = Path.of("/");

    @BeforeEach
    void repository() throws IOException, InterruptedException {
        upper = Files.createDirectory(folder.resolve("upper"));
        here().git("", "init", "-q", "--template=");
        Files.setPosixFilePermissions(here().workspace().resolve(".git"), PosixFilePermissions.fromString("rwxr-x---"));
        Files.setLastModifiedTime(here().workspace().resolve(".git"), FileTime.from(LONG_AGO));
    }

    private Workspaces here() {
        return new Workspaces(folder);
    }

    @Test
    void names_are_held_free_in_the_copy_below_directories_like_the_hosts_and_the_host_gets_nothing()
            throws IOException {
        var before = here().inventory();
        var plan = here().scan();
        var held = Placeholders.Copied.in(upper, plan).create("s-1");

        assertThat(held.refused()).isEmpty();
        assertThat(held.masks()).isEqualTo(plan.masks());
        assertThat(upper.resolve(".envrc")).isEmptyDirectory();
        assertThat(upper.resolve(".git/commondir")).hasContent(".\n");
        assertThat(Files.getPosixFilePermissions(upper.resolve(".git")))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(here().inventory()).isEqualTo(before);
        assertThat(Files.getLastModifiedTime(here().workspace().resolve(".git")))
                .isEqualTo(FileTime.from(LONG_AGO));
    }

    @Test
    void what_was_held_is_taken_away_with_its_directories_and_what_the_program_made_stays() throws IOException {
        var placeholders = Placeholders.Copied.in(upper, here().scan());
        var held = placeholders.create("s-1");

        assertThat(placeholders.remove(held)).isEmpty();
        assertThat(upper).isEmptyDirectory();

        var again = Placeholders.Copied.in(upper, here().scan());
        var second = again.create("s-2");
        Files.writeString(upper.resolve(".git/index"), "index");
        assertThat(again.remove(second)).isEmpty();
        try (var left = Files.walk(upper)) {
            assertThat(left.map(path -> upper.relativize(path).toString()).sorted())
                    .containsExactly("", ".git", ".git/index");
        }
    }

    @Test
    void a_directory_whose_permissions_the_program_changed_is_a_change_and_stays() throws IOException {
        var placeholders = Placeholders.Copied.in(upper, here().scan());
        var held = placeholders.create("s-1");
        Files.setPosixFilePermissions(upper.resolve(".git"), PosixFilePermissions.fromString("rwxr-xr-x"));

        placeholders.remove(held);

        assertThat(upper.resolve(".git")).isEmptyDirectory();
    }

    @Test
    void what_cannot_be_held_free_is_told_and_so_is_what_stands_there_afterwards() throws IOException {
        Files.writeString(upper.resolve(".envrc"), "theirs");
        var placeholders = Placeholders.Copied.in(upper, here().scan());
        var held = placeholders.create("s-1");

        assertThat(Workspaces.lines(held.refused()))
                .containsExactly(
                        ".envrc: cannot be held free (FileAlreadyExistsException): what appears there stays in "
                                + "the copy, and is refused when changes are applied");
        assertThat(held.masks()).extracting(mask -> mask.path()).doesNotContain(ByteString.of(".envrc"));
        placeholders.remove(held);
        assertThat(Workspaces.lines(placeholders.appeared(held)))
                .isEqualTo(List.of(".envrc: was absent and protected and came into being during the run: it is in the "
                        + "copy only"));
        assertThat(Files.exists(upper.resolve(".envrc"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }
}
