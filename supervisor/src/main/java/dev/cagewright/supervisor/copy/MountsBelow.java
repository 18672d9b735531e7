package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What is mounted below a directory of the host, proc_pid_mountinfo(5): an overlay shows nothing of it.
final class MountsBelow {
    private static final int MOUNT_POINT = 4;

    private MountsBelow() {}

    /// The first mount point below `directory`, an absolute and canonical path.
    static Optional<ByteString> first(ByteString directory) throws IOException {
        return first(directory, Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1));
    }

    static Optional<ByteString> first(ByteString directory, List<String> mountinfo) {
        var prefix = directory.latin1().equals("/") ? "/" : directory.latin1() + "/";
        return mountinfo.stream()
                .map(line -> line.split(" ", -1))
                .filter(fields -> fields.length > MOUNT_POINT)
                .map(fields -> unescaped(fields[MOUNT_POINT]))
                .filter(point -> point.startsWith(prefix))
                .findFirst()
                .map(point -> ByteString.copyOf(point.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /// The kernel writes blank, tab, line feed and backslash as `\` and three octal digits.
    private static String unescaped(String field) {
        var out = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 3 < field.length()) {
                out.append((char) Integer.parseInt(field, i + 1, i + 4, 8));
                i += 3;
            } else {
                out.append(field.charAt(i));
            }
        }
        return out.toString();
    }
}
