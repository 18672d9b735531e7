package dev.cagewright.supervisor.state;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// A person's folders, by the XDG Base Directory specification: variables that are unset, empty or not
/// absolute count as unset.
///
/// @param config what the person writes: policies
/// @param state what the product writes: logs, sessions; 0700
public record StateFolders(Path config, Path state) {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /// The folders for the variables `HOME`, `XDG_CONFIG_HOME` and `XDG_STATE_HOME`; creates nothing.
    ///
    /// @throws IOException if none of them says where
    public static StateFolders of(Map<String, String> environment) throws IOException {
        return new StateFolders(
                base(environment, "XDG_CONFIG_HOME", ".config").resolve("cagewright"),
                base(environment, "XDG_STATE_HOME", ".local/state").resolve("cagewright"));
    }

    private static Path base(Map<String, String> environment, String variable, String below) throws IOException {
        var named = environment.getOrDefault(variable, "");
        if (named.startsWith("/")) {
            return Path.of(named);
        }
        var home = environment.getOrDefault("HOME", "");
        if (!home.startsWith("/")) {
            throw new IOException("HOME is not an absolute path (expected: HOME or " + variable + " set to one)");
        }
        return Path.of(home, below);
    }

    /// The folder of one session, created 0700.
    public Path session(SessionId id) throws IOException {
        return ownFolder(sessions().resolve(id.value()));
    }

    /// The folder of all sessions, created 0700.
    public Path sessions() throws IOException {
        ownFolder(state);
        return ownFolder(state.resolve("sessions"));
    }

    /// The folder of the policies that runs were under, created 0700.
    public Path policies() throws IOException {
        ownFolder(state);
        return ownFolder(state.resolve("policies"));
    }

    /// The folder of the counts of budgets, created 0700.
    public Path budgets() throws IOException {
        ownFolder(state);
        return ownFolder(state.resolve("budgets"));
    }

    /// The folder of what is known about tokens, created 0700.
    public Path tokens() throws IOException {
        ownFolder(state);
        return ownFolder(state.resolve("tokens"));
    }

    /// The folder of what was accepted of MCP servers, created 0700.
    public Path pins() throws IOException {
        ownFolder(state);
        return ownFolder(state.resolve("mcp-pins"));
    }

    /// The folder of what belongs to the background supervisor, created 0700.
    public Path supervisor() throws IOException {
        ownFolder(state);
        return ownFolder(state.resolve("supervisor"));
    }

    /// The folder of the stored secrets, created 0700.
    public Path secrets() throws IOException {
        ownFolder(state);
        return ownFolder(state.resolve("secrets"));
    }

    /// The folder of what is kept of one named cage, created 0700.
    ///
    /// @param name without a slash
    public Path cage(String name) throws IOException {
        ownFolder(state);
        return ownFolder(ownFolder(state.resolve("cages")).resolve(name));
    }

    /// The folder of the homes of agents, which may be absent; beside the state, for cages see homes and never the
    /// state.
    public Path homes() {
        return state.resolveSibling(state.getFileName() + "-homes");
    }

    /// The folder of notes about them, a file each of the same name, created 0700.
    public Path homeNotes() throws IOException {
        ownFolder(state);
        return ownFolder(state.resolve("homes"));
    }

    /// Creates the home of an agent, one of [#homes()], 0700.
    public void makeHome(Path home) throws IOException {
        ownFolder(homes());
        ownFolder(home);
    }

    /// The default audit log; its folder is created 0700.
    public Path auditLog() throws IOException {
        return ownFolder(state).resolve("audit.jsonl");
    }

    /// Creates `folder` 0700, or checks that it belongs to nobody else: a folder that others may write
    /// would let them replace the log.
    private static Path ownFolder(Path folder) throws IOException {
        Files.createDirectories(folder.getParent());
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            makeUnlessSomebodyElseDid(folder);
        }
        var attributes = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()) {
            throw new IOException(
                    "state folder: " + folder + " is not a directory (expected: a directory of your own)");
        }
        var open = EnumSet.copyOf(attributes.permissions());
        open.retainAll(EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
        if (!open.isEmpty()) {
            throw new IOException(
                    "state folder: " + folder + " is writable for others (expected: chmod 700 " + folder + ")");
        }
        return folder;
    }

    private static void makeUnlessSomebodyElseDid(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            OwnerFile.flushName(folder);
        } catch (FileAlreadyExistsException _) {
            return; // another run of the same person, at the same moment; what it is comes next
        }
    }
}
