package dev.cagewright.cli;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The words of this process's command line as the bytes that `execve` got. The JVM hands them to `main`
/// decoded by the locale, which loses every byte the locale cannot spell; `/proc/self/cmdline` (proc(5))
/// still has them.
final class RawArguments {
    private RawArguments() {}

    /// The bytes of the last `count` words, in order.
    ///
    /// @throws IOException if the kernel's copy has fewer words
    static List<ByteString> last(int count) throws IOException {
        return last(Files.readAllBytes(Path.of("/proc/self/cmdline")), count);
    }

    static List<ByteString> last(byte[] commandLine, int count) throws IOException {
        var words = split(commandLine);
        if (words.size() < count) {
            throw new IOException("/proc/self/cmdline: " + words.size() + " words (expected: at least " + count + ")");
        }
        return List.copyOf(words.subList(words.size() - count, words.size()));
    }

    private static List<ByteString> split(byte[] commandLine) {
        var words = new ArrayList<ByteString>();
        int start = 0;
        for (int i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                words.add(ByteString.copyOf(Arrays.copyOfRange(commandLine, start, i)));
                start = i + 1;
            }
        }
        return words;
    }
}
