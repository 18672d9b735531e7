package dev.cagewright.supervisor.state;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The product's own files where a person happens to have them inside of what a cage gets: a policy in the
/// repository, a home directory as the workspace. The workload must not change the rules of its next run, nor its
/// own record (invariant I6).
///
/// @param folders the person's: the state is for no cage to reach, the configuration for none to change
/// @param auditLog of the run
/// @param policies that hold for it
public record OwnFiles(StateFolders folders, Path auditLog, List<Path> policies) {
    private static final String REMEDY = "choose another --workspace, or keep the product's files elsewhere";

    public OwnFiles {
        policies = List.copyOf(policies);
    }

    /// What a cage with these mounts needs besides its other masks: policies can be read and not changed; the state
    /// folder cannot be seen.
    ///
    /// @param workspace empty when the cage does not get it
    /// @throws ConfinementException if a mount or the workspace cannot be given without the product's own files
    /// @throws IOException if the folder of policies cannot be made, so that a cage could make it
    public List<Mask> masks(List<Mount> mounts, Optional<HostDirectory> workspace)
            throws ConfinementException, IOException {
        for (Mount mount : mounts) {
            if (mount.source() instanceof Mount.HostPath(ByteString path)) {
                refuseWithin(canonical(hostPath(path)), mount.access());
            }
        }
        if (workspace.isEmpty()) {
            return List.of();
        }
        return inWorkspace(hostPath(workspace.get().path()), workspace.get().access());
    }

    private Path state() {
        return canonical(folders.state());
    }

    /// What decides about the next run: the policies in force, and the folder that others are looked up in.
    private List<Path> rules() {
        var rules = new ArrayList<Path>();
        rules.add(canonical(folders.config()));
        policies.forEach(policy -> rules.add(canonical(policy)));
        return rules;
    }

    private void refuseWithin(Path source, Access access) throws ConfinementException {
        var state = state();
        if (state.startsWith(source) || source.startsWith(state)) {
            throw refusal("mount of " + source, "holds the product's own state, " + state);
        }
        var written = new ArrayList<>(rules());
        written.add(canonical(auditLog));
        for (Path own : written) {
            if (access == Access.READ_WRITE && own.startsWith(source)) {
                throw refusal("mount of " + source, "holds a policy or the log of this run, writable: " + own);
            }
        }
    }

    private List<Mask> inWorkspace(Path workspace, Access access) throws ConfinementException, IOException {
        var state = state();
        if (workspace.startsWith(state)) {
            throw refusal("workspace " + workspace, "is the product's own state");
        }
        var log = canonical(auditLog);
        boolean isWritable = access == Access.READ_WRITE;
        if (isWritable && log.startsWith(workspace) && !log.startsWith(state)) {
            throw refusal("log " + log, "lies in the workspace, where the workload could write its own record");
        }
        var masks = new ArrayList<Mask>();
        if (state.startsWith(workspace)) {
            masks.add(new Mask(relative(workspace, state), Mask.Kind.HIDDEN));
        }
        var config = canonical(folders.config());
        for (Path rule : rules()) {
            boolean isBelowConfig = rule.startsWith(config) && !rule.equals(config);
            if (rule.startsWith(workspace) && !rule.startsWith(state) && !isBelowConfig) {
                masks.add(readOnly(workspace, rule));
            }
        }
        return masks.stream().distinct().toList();
    }

    /// A folder of policies that does not exist is made: else the workload would make it.
    private static Mask readOnly(Path workspace, Path rule) throws ConfinementException, IOException {
        if (rule.equals(workspace)) {
            throw refusal("workspace " + workspace, "is the folder of your policies");
        }
        if (!Files.exists(rule)) {
            Files.createDirectories(rule);
        }
        return new Mask(relative(workspace, rule), Mask.Kind.READ_ONLY);
    }

    private static ConfinementException refusal(String what, String why) {
        return new ConfinementException("protection", what, why, REMEDY);
    }

    private static Path hostPath(ByteString path) throws ConfinementException {
        return Path.of(path.utf8()
                .orElseThrow(() -> new ConfinementException(
                        "protection", path.printable(), "is not UTF-8", "rename the directory")));
    }

    /// Without links where it exists; what does not exist has none.
    private static Path canonical(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException _) {
            return path.toAbsolutePath().normalize();
        }
    }

    private static ByteString relative(Path workspace, Path inside) {
        return ByteString.of(workspace.relativize(inside).toString());
    }
}
