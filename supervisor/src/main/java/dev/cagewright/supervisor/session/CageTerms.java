package dev.cagewright.supervisor.session;

import dev.cagewright.policy.document.HidePattern;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Limits;
import java.util.List;
import java.util.Optional;

/// What the policy in force comes to for one cage.
///
/// @param name the cage's name
/// @param judges all of which must allow, most powerful first
/// @param mounts empty grants nothing, not even the workspace
/// @param waived groups of protected paths that are lifted
/// @param allowlist the only programs that may start, in the whole tree; empty optional for no such limit
/// @param gaps what the policy asks for and no runtime of this version does
/// @param environment the caller's variables that may go in, by name
public record CageTerms(
        String name,
        List<Judge> judges,
        Isolation isolation,
        List<Mount> mounts,
        List<String> waived,
        List<HidePattern> hidden,
        Optional<List<String>> allowlist,
        List<String> environment,
        Limits limits,
        List<Enforcement.Gap> gaps) {
    public CageTerms {
        judges = List.copyOf(judges);
        mounts = List.copyOf(mounts);
        waived = List.copyOf(waived);
        hidden = List.copyOf(hidden);
        allowlist = allowlist.map(List::copyOf);
        environment = List.copyOf(environment);
        gaps = List.copyOf(gaps);
    }

    /// Does the workload get the caller's directory at all?
    public boolean grantsWorkspace() {
        return mounts.stream().anyMatch(mount -> mount.path().equals(CageLayout.WORKSPACE));
    }
}
