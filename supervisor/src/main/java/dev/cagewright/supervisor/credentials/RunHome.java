package dev.cagewright.supervisor.credentials;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.environment.CageEnvironment;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.TreeRemoval;
import dev.cagewright.supervisor.state.SharedFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The files of a cage's home that hold decoys: in what the session shares with its cage, mounted read-only. A place
/// where the policy
/// itself mounts something is left as the policy has it. Close it when the cage is gone; the files go then.
public final class RunHome implements AutoCloseable {
    private static final String FOLDER = "home";

    private final SharedFolder shared;
    private final Path folder;
    private final Map<String, Path> files;

    private RunHome(SharedFolder shared, Map<String, Path> files) {
        this.shared = shared;
        this.folder = shared.path().resolve(FOLDER);
        this.files = files;
    }

    /// Writes them.
    ///
    /// @throws ConfinementException if they cannot be written; nothing is left then
    public static RunHome of(SharedFolder shared, RunSecrets secrets, EffectivePolicy policy)
            throws ConfinementException {
        var home = new RunHome(shared, new TreeMap<>());
        try {
            home.remove();
            for (var file : PreparedFiles.of(secrets, policy).entrySet()) {
                home.write(file.getKey(), file.getValue());
            }
            return home;
        } catch (IOException e) {
            home.close();
            var refusal = new ConfinementException(
                    "credentials",
                    "prepare",
                    String.valueOf(e.getMessage()),
                    "make room in the state folder, or leave prepare out");
            refusal.initCause(e);
            throw refusal;
        }
    }

    /// Readable for the user of the cage, who may be another one; the folder above is not.
    private void write(String name, String text) throws IOException {
        if (Files.notExists(folder)) {
            Files.createDirectory(shared.make().resolve(FOLDER));
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        var file = folder.resolve(Integer.toString(files.size()));
        Files.write(
                file,
                text.getBytes(StandardCharsets.US_ASCII),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        files.put(name, file);
    }

    /// `spec` with the files mounted.
    public CageSpec over(CageSpec spec) {
        if (files.isEmpty()) {
            return spec;
        }
        var all = new ArrayList<>(spec.mounts());
        var taken = new HashSet<GuestPath>();
        spec.mounts().forEach(mount -> taken.add(mount.at()));
        files.forEach((name, file) -> {
            var at = new GuestPath(CageEnvironment.HOME + "/" + name);
            if (taken.add(at)) {
                all.add(new Mount(at, new Mount.HostPath(ByteString.of(file.toString())), Access.READ_ONLY));
            }
        });
        return spec.withMounts(List.copyOf(all));
    }

    private void remove() throws IOException {
        if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var held = HostFolder.open(ByteString.of(folder.toString()))) {
            TreeRemoval.clear(held);
        }
        Files.delete(folder);
    }

    /// What cannot be removed holds decoys of a session that is over.
    @Override
    public void close() {
        try {
            remove();
        } catch (IOException _) {
            return;
        }
    }
}
