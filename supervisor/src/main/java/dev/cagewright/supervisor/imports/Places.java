package dev.cagewright.supervisor.imports;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What paths of a source mean on this machine.
///
/// @param home of the person; `~`
/// @param workspace where relative paths begin
public record Places(Path home, Path workspace) {
    private static final List<String> SYSTEM =
            List.of("/usr", "/etc", "/opt", "/nix/store", "/gnu/store", "/bin", "/sbin", "/lib", "/lib64");

    public Places {
        home = home.toAbsolutePath().normalize();
        workspace = workspace.toAbsolutePath().normalize();
    }

    /// A path of a source.
    sealed interface Place {
        /// In the workspace, itself being the empty text.
        ///
        /// @param below without `.` and `..`
        record Inside(String below) implements Place {}

        /// Somewhere else on this machine.
        record Outside(Path path) implements Place {}

        /// Everything that a pattern means below the workspace.
        ///
        /// @param pattern with `*`, `?` or `[`
        record Pattern(String pattern) implements Place {}

        /// What nobody can say beforehand.
        record Unclear(String why) implements Place {}
    }

    Place of(String text) {
        if (text.isBlank() || text.indexOf('\0') >= 0) {
            return new Place.Unclear("no path");
        }
        if (text.indexOf('$') >= 0) {
            return new Place.Unclear("variables in a path are not expanded");
        }
        var whole = text.endsWith("/**") ? text.substring(0, text.length() - 3) : text;
        if (whole.isEmpty() || whole.equals("**") || whole.equals("*")) {
            return text.startsWith("/") ? new Place.Outside(Path.of("/")) : new Place.Inside("");
        }
        try {
            return whole.matches(".*[*?\\[].*") ? pattern(whole) : plain(whole);
        } catch (InvalidPathException _) {
            return new Place.Unclear("no path of this machine");
        }
    }

    private Place pattern(String text) {
        var top = workspace + "/";
        if (text.startsWith(top)) {
            return new Place.Pattern(text.substring(top.length()));
        }
        return text.startsWith("/") || text.startsWith("~")
                ? new Place.Unclear("a pattern outside of the workspace")
                : new Place.Pattern(text.startsWith("./") ? text.substring(2) : text);
    }

    private Place plain(String text) {
        var path = absolute(text);
        if (path.equals(workspace)) {
            return new Place.Inside("");
        }
        return path.startsWith(workspace)
                ? new Place.Inside(workspace.relativize(path).toString())
                : new Place.Outside(path);
    }

    private Path absolute(String text) {
        if (text.equals("~")) {
            return home;
        }
        return (text.startsWith("~/") ? home.resolve(text.substring(2)) : workspace.resolve(text)).normalize();
    }

    /// Does `path` hold the workspace?
    boolean holdsWorkspace(Path path) {
        return workspace.startsWith(path);
    }

    /// The system's folder that each cage can read and `path` is in.
    static Optional<String> system(Path path) {
        return SYSTEM.stream()
                .filter(folder -> path.startsWith(Path.of(folder)))
                .findFirst();
    }

    static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
