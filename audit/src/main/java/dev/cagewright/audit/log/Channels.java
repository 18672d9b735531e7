package dev.cagewright.audit.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/// How the log's own file is opened: the kernel's door, named so that a test can stand in it.
@FunctionalInterface
interface Channels {
    Channels KERNEL = FileChannel::open;

    FileChannel open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException;
}
