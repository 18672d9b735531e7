package dev.cagewright.supervisor.session;

import dev.cagewright.policy.document.HidePattern;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.supervisor.copy.CopyQuota;
import dev.cagewright.supervisor.net.NetTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the policy in force comes to for one cage.
///
/// @param name the cage's name
/// @param judges all of which must allow, most powerful first
/// @param mounts empty grants nothing, not even the workspace
/// @param waived groups of protected paths that are lifted
/// @param allowlist the only programs that may start, in the whole tree; empty optional for no such limit
/// @param copies the most that copies of the session may hold
/// @param net where it may go
/// @param gaps what the policy asks for and no runtime of this version does
/// @param environment the caller's variables that may go in, by name
/// @param token what the session is under besides its policy; a judge too, after the others
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
        CopyQuota copies,
        NetTerms net,
        List<Enforcement.Gap> gaps,
        Optional<TokenJudge> token) {
    public CageTerms {
        judges = List.copyOf(judges);
        mounts = List.copyOf(mounts);
        waived = List.copyOf(waived);
        hidden = List.copyOf(hidden);
        allowlist = allowlist.map(List::copyOf);
        environment = List.copyOf(environment);
        gaps = List.copyOf(gaps);
    }

    /// The same, but that the workspace, where it can be written, is worked on by copy.
    public CageTerms withCopiedWorkspace() {
        var copied = mounts.stream()
                .map(mount -> mount.path().equals(CageLayout.WORKSPACE)
                        ? new Mount(mount.path(), mount.mode(), new Mount.Source.SessionCopy())
                        : mount)
                .toList();
        return new CageTerms(
                name,
                judges,
                isolation,
                copied,
                waived,
                hidden,
                allowlist,
                environment,
                limits,
                copies,
                net,
                gaps.stream().filter(gap -> isGapStill(gap, copied)).toList(),
                token);
    }

    /// The same with other limits.
    public CageTerms withLimits(Limits changed) {
        return new CageTerms(
                name,
                judges,
                isolation,
                mounts,
                waived,
                hidden,
                allowlist,
                environment,
                changed,
                copies,
                net,
                gaps,
                token);
    }

    /// The same, under a token: nothing happens that it does not carry the right to.
    public CageTerms under(TokenJudge held) {
        return new CageTerms(
                name,
                judges,
                isolation,
                mounts,
                waived,
                hidden,
                allowlist,
                environment,
                limits,
                copies,
                net,
                gaps,
                Optional.of(held));
    }

    /// All who are asked, in their order.
    List<Judge> everyJudge() {
        var all = new ArrayList<>(judges);
        token.ifPresent(all::add);
        return all;
    }

    /// What nobody counts on the host is counted in copies.
    private static boolean isGapStill(Enforcement.Gap gap, List<Mount> mounts) {
        boolean ofFiles = gap.limit().equals("disk") || gap.limit().equals("files");
        return !ofFiles
                || mounts.stream()
                        .anyMatch(mount ->
                                mount.mode() == Mount.Access.RW && mount.source() instanceof Mount.Source.HostPath);
    }

    /// Does the workload get the caller's directory at all?
    public boolean grantsWorkspace() {
        return mounts.stream().anyMatch(mount -> mount.path().equals(CageLayout.WORKSPACE));
    }
}
