package dev.cagewright.supervisor.repository;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.protect.AfterRun;
import dev.cagewright.sandbox.protect.Notice;
import dev.cagewright.sandbox.protect.Placeholders;
import dev.cagewright.sandbox.protect.ProtectionPlan;
import dev.cagewright.sandbox.protect.ProtectionRequest;
import dev.cagewright.supervisor.repository.OwnConfigs.Kind;
import dev.cagewright.supervisor.repository.OwnConfigs.Original;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Stands over the repository of a linked worktree while a cage has it: what is mounted, and what of the worktree's own
/// folder there is protected. For one thread.
public final class LinkedGuard {
    private final LinkedRepository repository;
    private final Optional<Writing> writing;

    /// @param folder the worktree's own in the repository
    private record Writing(ByteString folder, ProtectionPlan plan, Placeholders.Held held) {
        ByteString absolute(ByteString inside) {
            var text = folder.latin1() + "/" + inside.latin1();
            return ByteString.copyOf(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private LinkedGuard(LinkedRepository repository, Optional<Writing> writing) {
        this.repository = repository;
        this.writing = writing;
    }

    /// Of a repository that is read only.
    public static LinkedGuard reading(LinkedWorktree worktree) throws IOException {
        return new LinkedGuard(LinkedRepository.read(worktree), Optional.empty());
    }

    /// Of one that is written to.
    ///
    /// @param session its id, by which `placeholders` are removed when it is over
    /// @param request of the workspace
    /// @throws ConfinementException if a part of the repository cannot be given
    public static LinkedGuard writing(
            LinkedWorktree worktree, String session, Placeholders placeholders, ProtectionRequest request)
            throws IOException, ConfinementException {
        var repository = LinkedRepository.written(worktree);
        var folder = worktree.admin().path();
        var plan = ProtectionPlan.ofWorktree(
                request.elsewhere(Path.of(folder.utf8().orElseThrow())));
        var held = placeholders.create(session, plan);
        return new LinkedGuard(repository, Optional.of(new Writing(folder, plan, held)));
    }

    /// Those that the cage is built with, each of an absolute path.
    public List<Mask> masks() {
        var masks = new ArrayList<>(repository.masks());
        writing.ifPresent(one ->
                one.held.masks().forEach(mask -> masks.add(new Mask(one.absolute(mask.path()), mask.kind()))));
        return masks;
    }

    /// What the cage has copies of its own of.
    public List<Original> originals() {
        var originals = new ArrayList<>(repository.originals());
        writing.ifPresent(one -> {
            var target = new Target(one.plan.workspace(), Optional.empty());
            one.plan.configs().forEach(at -> originals.add(new Original(Kind.SETTINGS, target, at, one.absolute(at))));
        });
        return originals;
    }

    /// What a person should hear of it.
    public List<Notice> notices() {
        if (writing.isEmpty()) {
            return List.of(new Notice(
                    Notice.Kind.REPOSITORY,
                    ByteString.of(".git"),
                    "git can read the repository of this worktree here and not write to it: to commit, run with a"
                            + " writable workspace and no copy, or copy the repository's main worktree"));
        }
        var notices = new ArrayList<>(writing.get().plan.notices());
        notices.addAll(writing.get().held.refused());
        return notices;
    }

    /// `spec` with the repository mounted.
    public CageSpec over(CageSpec spec) {
        return repository.over(spec);
    }

    /// `report`, and what the run left in the worktree's folder. Nothing of the cage may live any more.
    public AfterRun with(AfterRun report, AfterRun.Since since, AfterRun.Host host) throws IOException {
        if (writing.isEmpty()) {
            return report;
        }
        var one = writing.get();
        var own = AfterRun.report(one.plan, one.held, since, host);
        var findings = new ArrayList<>(report.findings());
        own.findings()
                .forEach(finding -> findings.add(
                        new AfterRun.Finding(finding.kind(), one.absolute(finding.path()), finding.sentence())));
        return new AfterRun(
                findings, report.changedExecutables() + own.changedExecutables(), report.complete() && own.complete());
    }
}
