package dev.cagewright.sandbox.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A program of the host that a person works with on this process's own terminal, outside of any cage and with their
/// own rights and variables: their editor. Never one that a cage or a policy names.
///
/// @param command a command line for `sh`, as the variables `VISUAL` and `EDITOR` hold one
public record PersonsProgram(String command) {
    private static final List<String> USUAL_EDITORS = List.of("sensible-editor", "nano", "vim", "vi");

    /// The person's editor: that of `VISUAL` or `EDITOR`, else the first usual one on `PATH`.
    ///
    /// @return empty if there is none
    public static Optional<PersonsProgram> editor(Map<String, String> environment) {
        return Stream.of("VISUAL", "EDITOR")
                .map(variable -> environment.getOrDefault(variable, ""))
                .filter(command -> !command.isBlank())
                .findFirst()
                .or(() -> usual(environment.getOrDefault("PATH", "")))
                .map(PersonsProgram::new);
    }

    private static Optional<String> usual(String path) {
        var folders = Stream.of(path.split(":", -1))
                .filter(folder -> folder.startsWith("/"))
                .map(Path::of)
                .toList();
        return USUAL_EDITORS.stream()
                .filter(name -> folders.stream()
                        .anyMatch(folder -> folder.resolve(name).toFile().canExecute()))
                .findFirst();
    }

    /// Runs it on `file` with this process's streams, to its end, however long that takes.
    ///
    /// @return its exit code
    /// @throws IOException if it cannot be started
    /// @throws InterruptedException if nobody waits any more; it goes on
    public int on(Path file) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("/bin/sh", "-c", command + " \"$@\"", "editor", file.toString());
        return builder.inheritIO().start().waitFor();
    }
}
