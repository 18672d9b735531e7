package dev.cagewright.supervisor.leftover;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What each `package.json` of a workspace makes npm and its kin start, as it was when a run began: one that got a
/// dependency or another version is nothing to look at. Immutable.
public final class PackageScripts {
    /// Larger ones count as changed, bytes.
    private static final int LARGEST = 256 << 10;

    private static final ByteString NAME = ByteString.of("package.json");

    private static final List<String> STARTING = List.of(
            "scripts",
            "bin",
            "gypfile",
            "config",
            "husky",
            "lint-staged",
            "simple-git-hooks",
            "pre-commit",
            "packageManager",
            "pnpm",
            "jest",
            "mocha",
            "ava",
            "babel",
            "eslintConfig",
            "prettier",
            "stylelint",
            "nx",
            "workspaces");

    private final Path workspace;
    private final Map<ByteString, String> before;

    private PackageScripts(Path workspace, Map<ByteString, String> before) {
        this.workspace = workspace;
        this.before = Map.copyOf(before);
    }

    /// Reads those at `paths`, relative to `workspace`; one that cannot be read counts as absent.
    public static PackageScripts of(Path workspace, List<ByteString> paths) {
        var before = new HashMap<ByteString, String>();
        for (ByteString path : paths) {
            starting(workspace, path).ifPresent(text -> before.put(path, text));
        }
        return new PackageScripts(workspace, before);
    }

    /// Is the file at `path` a `package.json` that starts what it started before, or nothing at all?
    public boolean isSame(ByteString path) {
        if (!new RelativePath(path).name().equals(NAME)) {
            return false;
        }
        var now = starting(workspace, path);
        return now.isPresent() && now.get().equals(before.getOrDefault(path, ""));
    }

    /// The members that make something start, as JSON; empty if the file is none that can be judged.
    private static Optional<String> starting(Path workspace, ByteString path) {
        var at = new RelativePath(path);
        try (var top = HostFolder.open(ByteString.of(workspace.toString()))) {
            var folder = top.folder(at.parent().bytes());
            if (folder.isEmpty()) {
                return Optional.empty();
            }
            try (var open = folder.get();
                    var file = open.read(at.name())) {
                var bytes = file.head(LARGEST + 1);
                return bytes.length > LARGEST ? Optional.empty() : starting(bytes);
            }
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static Optional<String> starting(byte[] bytes) {
        try {
            if (!(Json.parse(bytes) instanceof JsonObject json)) {
                return Optional.empty();
            }
            var text = new StringBuilder();
            for (String name : STARTING) {
                json.member(name)
                        .ifPresent(
                                value -> text.append(name).append(value.write()).append('\n'));
            }
            return Optional.of(text.toString());
        } catch (JsonSyntaxException _) {
            return Optional.empty();
        }
    }
}
