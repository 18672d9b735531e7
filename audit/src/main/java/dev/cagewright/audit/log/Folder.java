package dev.cagewright.audit.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The folder of a log. As long as no name in it was made, moved or deleted, which its time of change tells, each
/// name leads to what it led to: one look at the folder stands for one at each name. Used by one thread at a time.
final class Folder {
    private static final String TIME_OF_CHANGE = "unix:ctime";

    /// A change that is younger may be followed by another of the same time: ext4 with small inodes counts whole
    /// seconds, FAT two.
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private final Path path;
    private @Nullable Object seen;
    private @Nullable Object known;

    Folder(Path path) {
        this.path = path;
    }

    /// Whether it is as it was when [#known] was called last.
    boolean isKnown() throws IOException {
        seen = Files.getAttribute(path, TIME_OF_CHANGE, LinkOption.NOFOLLOW_LINKS);
        return known != null && known.equals(seen);
    }

    /// All names that matter were found right since [#isKnown] looked.
    void known() {
        boolean settled = seen instanceof FileTime changed
                && changed.toInstant().isBefore(Instant.now().minus(SETTLED));
        known = settled ? seen : null;
    }
}
