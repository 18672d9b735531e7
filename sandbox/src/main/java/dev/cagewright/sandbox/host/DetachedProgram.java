package dev.cagewright.sandbox.host;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// A program of the product's that goes on when this process and its terminal are gone: in a session of its own,
/// without
/// input, in the root folder. Never one that a cage or a policy names.
public final class DetachedProgram {
    private static final File NOTHING = new File("/dev/null");

    private final Process process;

    private DetachedProgram(Process process) {
        this.process = process;
    }

    /// Starts it.
    ///
    /// @param environment all of its variables
    /// @param output begins anew, gets what it writes
    /// @throws IOException if it cannot be executed
    public static DetachedProgram start(List<String> argv, Map<String, String> environment, Path output)
            throws IOException {
        var words = new ArrayList<String>();
        // setsid(1): what a person types at this terminal from now on is not meant for it.
        Stream.of("/usr/bin/setsid", "/bin/setsid")
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst()
                .ifPresent(words::add);
        words.addAll(argv);
        var builder = new ProcessBuilder(words)
                .directory(new File("/"))
                .redirectInput(NOTHING)
                .redirectOutput(output.toFile())
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new DetachedProgram(builder.start());
    }

    /// Its exit code; empty while it runs.
    public OptionalInt status() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }
}
