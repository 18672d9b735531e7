package dev.cagewright.supervisor.scaffold;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.sandbox.environment.CageEnvironment;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.scaffold.Scaffold.HomeFile;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The home of an agent for one workspace, which lasts between its runs: a folder of the host that nothing else is in.
/// What an agent leaves there, links too, is the agent's; files are put there without following any.
///
/// @param folder 0700
public record AgentHome(Path folder) {
    /// A file of an agent's that is larger is not merged with.
    private static final int MOST_MERGED = 4 << 20;

    private static final int DIGITS = 12;

    /// The home of `scaffold` for `workspace`, which may be absent.
    ///
    /// @param workspace an absolute path without links
    public static AgentHome of(StateFolders folders, Scaffold scaffold, ByteString workspace) {
        var name = scaffold.name() + "-" + digest(workspace).substring(0, DIGITS);
        return new AgentHome(folders.homes().resolve(name));
    }

    private static String digest(ByteString workspace) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(workspace.toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: absent (expected: in every JDK)", e);
        }
    }

    /// Writes down whose it is, so that a person can be asked what to do with it once the workspace is gone.
    public void remember(StateFolders folders, ByteString workspace) throws IOException {
        var file = folders.homeNotes().resolve(String.valueOf(folder.getFileName()));
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            OwnerFile.write(file, workspace.toByteArray());
        }
    }

    /// Was nothing ever put there?
    public boolean isNew() throws IOException {
        try (var home = HostFolder.open(ByteString.of(folder.toString()))) {
            return home.names(1).isEmpty();
        }
    }

    /// As the cage's own policy has it mounted.
    public Mount mount() {
        return new Mount(
                new GuestPath(CageEnvironment.HOME), Mount.Access.RW, new Mount.Source.HostPath(folder.toString()));
    }

    /// Puts the files of a scaffold there. What cannot be put is left, and told: the agent starts all the same, with a
    /// question more.
    ///
    /// @return why something is not there, a sentence each
    public List<String> seed(List<HomeFile> files, Template template) throws IOException {
        var left = new ArrayList<String>();
        try (var home = HostFolder.open(ByteString.of(folder.toString()))) {
            for (HomeFile file : files) {
                var text = template.fill(file.text());
                if (text.isEmpty()
                        || file.with().filter(name -> !template.has(name)).isPresent()) {
                    continue; // it is for a secret that this run has not
                }
                try {
                    put(home, file, text.get());
                } catch (IOException e) {
                    left.add("home: " + file.path() + " was not prepared: " + e.getMessage());
                }
            }
        }
        return left;
    }

    private static void put(HostFolder home, HomeFile file, String text) throws IOException {
        var path = RelativePath.written(ByteString.of(file.path()));
        try (var folder = made(home, path.parent())) {
            var there = folder.look(path.name());
            if (there.isPresent() && file.way() == HomeFile.Way.ABSENT) {
                return;
            }
            write(folder, path.name(), whole(folder, path.name(), there, file.way(), text));
        }
    }

    /// The folder at `path`, made where it is absent.
    private static HostFolder made(HostFolder home, RelativePath path) throws IOException {
        var here = home.folder(ByteString.of("")).orElseThrow(() -> new IOException("the home is gone"));
        for (String name : path.names()) {
            var next = ByteString.of(name);
            try (var above = here) {
                if (above.look(next).isEmpty()) {
                    above.makeFolder(next);
                }
                here = above.folder(next).orElseThrow(() -> new IOException(next + " is no folder"));
            }
        }
        return here;
    }

    private static String whole(
            HostFolder folder, ByteString name, Optional<HostEntry> there, HomeFile.Way way, String text)
            throws IOException {
        if (way != HomeFile.Way.MERGE || there.isEmpty()) {
            return text;
        }
        try (var file = folder.read(name)) {
            var bytes = file.head(MOST_MERGED + 1);
            if (bytes.length > MOST_MERGED) {
                throw new IOException("more than " + MOST_MERGED + " bytes");
            }
            return merged(Json.parse(bytes, MOST_MERGED), Json.parse(text)).write() + "\n";
        } catch (JsonSyntaxException e) {
            throw new IOException("it is no JSON: " + e.getMessage(), e);
        }
    }

    private static JsonValue merged(JsonValue old, JsonValue fresh) {
        if (!(old instanceof JsonObject before) || !(fresh instanceof JsonObject after)) {
            return fresh;
        }
        var all = Json.object();
        before.members()
                .forEach((name, value) -> all.put(
                        name,
                        after.member(name).map(with -> merged(value, with)).orElse(value)));
        after.members().forEach((name, value) -> {
            if (before.member(name).isEmpty()) {
                all.put(name, value);
            }
        });
        return all.build();
    }

    private static void write(HostFolder folder, ByteString name, String text) throws IOException {
        var fresh = ByteString.of(name.latin1() + ".cagewright-new");
        if (folder.look(fresh).isPresent()) {
            folder.remove(fresh);
        }
        try (var file = folder.create(fresh)) {
            file.append(text.getBytes(StandardCharsets.UTF_8));
        }
        folder.replace(fresh, name);
    }
}
