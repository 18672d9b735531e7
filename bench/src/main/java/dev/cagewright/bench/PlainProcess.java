package dev.cagewright.bench;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A process of the JDK: nothing around it, or bubblewrap.
record PlainProcess(String name, Output output, List<String> command) implements Way {
    /// What becomes of its output.
    enum Output {
        /// To `/dev/null`, by the kernel.
        DISCARDED,
        /// Through two pipes that are read to their end, as a caged program's is.
        READ
    }

    @Override
    public Rest once() throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
        if (output == Output.DISCARDED) {
            builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
        }
        var process = builder.start();
        if (output == Output.READ) {
            process.getInputStream().transferTo(OutputStream.nullOutputStream());
            process.getErrorStream().transferTo(OutputStream.nullOutputStream());
        }
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(command.getFirst() + ": status " + status);
        }
        return Rest.NOTHING;
    }

    /// Bubblewrap with the mounts of a cage, where there is a `bwrap` on the PATH.
    static Optional<Way> bubblewrap(Path workspace, List<String> program) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, "bwrap"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(bwrap -> new PlainProcess(
                        "bubblewrap", Output.DISCARDED, wrapped(bwrap.toString(), workspace, program)));
    }

    private static List<String> wrapped(String bwrap, Path workspace, List<String> program) {
        var command = new ArrayList<>(List.of(bwrap, "--unshare-all", "--die-with-parent"));
        command.addAll(List.of("--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"));
        for (var name : List.of("bin", "sbin", "lib", "lib64")) {
            if (Files.isSymbolicLink(Path.of("/", name))) {
                command.addAll(List.of("--symlink", "usr/" + name, "/" + name));
            }
        }
        command.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
        command.addAll(List.of("--bind", workspace.toString(), workspace.toString(), "--chdir", workspace.toString()));
        command.addAll(program);
        return List.copyOf(command);
    }
}
