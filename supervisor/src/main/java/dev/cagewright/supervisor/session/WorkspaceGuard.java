package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.HidePattern;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.protect.AfterRun;
import dev.cagewright.sandbox.protect.Notice;
import dev.cagewright.sandbox.protect.Placeholders;
import dev.cagewright.sandbox.protect.ProtectionGroup;
import dev.cagewright.sandbox.protect.ProtectionPlan;
import dev.cagewright.sandbox.protect.ProtectionRequest;
import dev.cagewright.supervisor.copy.RunCopies;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.leftover.Leftover;
import dev.cagewright.supervisor.leftover.PackageScripts;
import dev.cagewright.supervisor.repository.LinkedGuard;
import dev.cagewright.supervisor.repository.LinkedWorktree;
import dev.cagewright.supervisor.repository.OwnConfigs;
import dev.cagewright.supervisor.repository.Target;
import dev.cagewright.supervisor.repository.Uncovered;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Stands over a workspace while a cage has it: plans the masks, holds absent names free, and looks at what
/// changed when the cage is dead. A workspace that is read-only or not granted needs masks for reading only; in one
/// that is worked on by copy the names are held free in the copy, and the host's directory is left alone.
final class WorkspaceGuard implements AutoCloseable {
    private final Session session;
    private final ProtectionPlan plan;
    private final Ground ground;
    private final Placeholders.Held held;
    private final Instant started = InstantSource.system().instant();
    private final List<String> notices = new ArrayList<>();
    private final List<Mask> ownFiles;
    private final PackageScripts scripts;
    private final Optional<LinkedGuard> linked;
    private OwnConfigs configs;
    private List<Path> programs = List.of();
    private Optional<CageSpec> built = Optional.empty();
    private Optional<Uncovered> uncovered = Optional.empty();
    private boolean lifted;

    private WorkspaceGuard(Session session, ProtectionPlan plan, Ground ground, Placeholders.Held held, Around around) {
        this.session = session;
        this.ownFiles = around.ownFiles();
        this.linked = around.linked();
        this.plan = plan;
        this.ground = ground;
        this.held = held;
        this.configs = OwnConfigs.none(session.shared());
        this.scripts = PackageScripts.of(plan.workspace(), plan.manifests());
    }

    /// What else there is to guard.
    private record Around(List<Mask> ownFiles, Optional<LinkedGuard> linked) {}

    /// @throws IOException if the cage cannot get copies of its own; nothing is held any more then
    private void look(RunRequest request) throws IOException {
        try {
            programs = programs(request, plan.workspace());
            configs = configs();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /// The folders in which the person's shell looks for programs.
    private static List<Path> programs(RunRequest request, Path workspace) {
        var path = request.caller()
                .getOrDefault(ByteString.of("PATH"), ByteString.of(""))
                .utf8()
                .orElse("");
        var folders = new ArrayList<Path>();
        for (String folder : path.split(":", -1)) {
            if (!folder.isEmpty() && folder.indexOf('\0') < 0) {
                folders.add(workspace.resolve(folder).normalize());
            }
        }
        return folders;
    }

    /// What git in the cage writes its settings to.
    private OwnConfigs configs() throws IOException {
        var copy = ground instanceof Ground.Copy(var _, SessionCopy made)
                ? Optional.of(made.upper())
                : Optional.<Path>empty();
        if (ground instanceof Ground.Unwritten) {
            return OwnConfigs.none(session.shared());
        }
        var target = new Target(plan.workspace(), copy);
        var originals = new ArrayList<>(plan.configs().stream()
                .map(at -> new OwnConfigs.Original(OwnConfigs.Kind.SETTINGS, target, at, at))
                .toList());
        linked.ifPresent(one -> originals.addAll(one.originals()));
        var masks = new ArrayList<>(held.masks());
        linked.ifPresent(one -> masks.addAll(one.masks()));
        return OwnConfigs.of(session.shared(), masks, originals);
    }

    /// Where names are held free.
    private sealed interface Ground {
        /// Nowhere: nothing is written.
        record Unwritten() implements Ground {}

        record Host(Placeholders placeholders) implements Ground {}

        record Copy(Placeholders.Copied placeholders, SessionCopy copy) implements Ground {}
    }

    /// Plans, and makes the placeholders.
    ///
    /// @throws ConfinementException if a group that the policy waives does not exist, or a pattern is off
    /// @throws IOException if the workspace cannot be read or the ledger cannot be written; nothing may run
    static WorkspaceGuard put(Session session, RunRequest request, CagePlan cage, RunCopies copies)
            throws IOException, ConfinementException {
        var workspace = Optional.of(cage.spec().workspace()).filter(_ -> cage.grantsWorkspace());
        var ownFiles = session.place().own().masks(cage.spec().mounts(), workspace);
        MountedSockets.refuse(cage.spec().mounts());
        var placeholders = new Placeholders(session.placeholderLedger());
        var left = placeholders.recover();
        var worktree = workspace.isEmpty() ? Optional.<LinkedWorktree>empty() : LinkedWorktree.of(workspace.get());
        var wanted = request(session, request, cage);
        var whole = worktree.map(one -> wanted.withRepository(one.repository())).orElse(wanted);
        var plan = ProtectionPlan.scan(whole);
        var ground = ground(cage, plan, placeholders, copies);
        var held = hold(session, ground, plan);
        try {
            var linked = worktree.isEmpty() || worktree.get().isIn(cage.spec().mounts())
                    ? Optional.<LinkedGuard>empty()
                    : Optional.of(linked(session, ground, worktree.get(), whole));
            var guard = new WorkspaceGuard(session, plan, ground, held, new Around(ownFiles, linked));
            guard.look(request);
            guard.tell(left);
            guard.tell(plan.notices());
            guard.tell(guard.held.refused());
            linked.ifPresent(one -> guard.tell(one.notices()));
            return guard;
        } catch (IOException | ConfinementException e) {
            placeholders.remove(session.id().value());
            throw e;
        }
    }

    private static LinkedGuard linked(
            Session session, Ground ground, LinkedWorktree worktree, ProtectionRequest request)
            throws IOException, ConfinementException {
        return ground instanceof Ground.Host(Placeholders placeholders)
                ? LinkedGuard.writing(worktree, session.id().value(), placeholders, request)
                : LinkedGuard.reading(worktree);
    }

    private static Ground ground(CagePlan cage, ProtectionPlan plan, Placeholders placeholders, RunCopies copies) {
        if (cage.spec().workspace().access() == Access.READ_ONLY) {
            return new Ground.Unwritten();
        }
        return copies.of(cage.spec().workspace())
                .<Ground>map(copy -> new Ground.Copy(Placeholders.Copied.in(copy.upper(), plan), copy))
                .orElseGet(() -> new Ground.Host(placeholders));
    }

    /// What is made in a copy is written down there: it is no change of the workload's.
    private static Placeholders.Held hold(Session session, Ground ground, ProtectionPlan plan) throws IOException {
        var id = session.id().value();
        return switch (ground) {
            case Ground.Unwritten _ -> new Placeholders.Held(id, List.of(), standing(plan), List.of());
            case Ground.Host(Placeholders placeholders) -> placeholders.create(id, plan);
            case Ground.Copy(Placeholders.Copied placeholders, SessionCopy copy) -> {
                var held = new ArrayList<>(copy.held());
                held.addAll(Placeholders.Copied.paths(plan));
                copy.withHeld(held).store();
                yield placeholders.create(id);
            }
        };
    }

    private static ProtectionRequest request(Session session, RunRequest request, CagePlan cage)
            throws ConfinementException {
        try {
            return new ProtectionRequest(
                    Path.of(cage.spec().workspace().path().utf8().orElseThrow()),
                    home(request),
                    ProtectionGroup.waived(session.terms().waived()),
                    session.terms().hidden().stream()
                            .map(pattern -> below(pattern, request))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new ConfinementException("protection", "fs", String.valueOf(e.getMessage()), "correct the policy");
        }
    }

    /// `/workspace/x` and the workspace's own path both become `/x`; `**/x` stays.
    ///
    /// @throws IllegalArgumentException for a path elsewhere: only the workspace has masks
    private static String below(HidePattern pattern, RunRequest request) {
        var own = request.workspace().utf8().orElse("");
        for (String root : List.of(CageLayout.WORKSPACE.value() + "/", own + "/")) {
            if (pattern.value().startsWith(root)) {
                return "/" + pattern.value().substring(root.length());
            }
        }
        if (pattern.value().startsWith("/")) {
            throw new IllegalArgumentException("fs.hide: " + pattern + " (expected: **/name, or a path below "
                    + CageLayout.WORKSPACE + "; what is elsewhere is hidden by not mounting it)");
        }
        return pattern.value();
    }

    private static Path home(RunRequest request) {
        return request.caller()
                .getOrDefault(ByteString.of("HOME"), ByteString.of("/nonexistent"))
                .utf8()
                .filter(path -> path.startsWith("/"))
                .map(Path::of)
                .orElse(Path.of("/nonexistent"));
    }

    /// The plan's masks without those that only a placeholder could carry.
    private static List<Mask> standing(ProtectionPlan plan) {
        var absent = plan.placeholders().stream().map(one -> one.path()).toList();
        return plan.masks().stream()
                .filter(mask -> !absent.contains(mask.path()))
                .toList();
    }

    /// The plan's masks, and those of the product's own files, which count for more.
    private List<Mask> masks() {
        var masks = new ArrayList<>(ownFiles);
        held.masks().stream()
                .filter(mask -> ownFiles.stream().noneMatch(own -> own.path().equals(mask.path())))
                .forEach(masks::add);
        linked.ifPresent(one -> masks.addAll(one.masks()));
        return configs.masks(masks);
    }

    /// `spec` with the masks and what goes with them.
    CageSpec over(CageSpec spec) {
        var whole = linked.map(one -> one.over(spec)).orElse(spec);
        built = Optional.of(whole);
        return configs.over(whole.withMasks(masks()));
    }

    /// Looks after `cage` when the host replaces what is masked, from now on.
    void follow(Cage cage) {
        var guard = new Uncovered(configs, built.orElseThrow(), session::note);
        uncovered = Optional.of(guard);
        cage.guard(guard);
    }

    /// `before` and what the guard has to say.
    List<String> noticesWith(List<String> before) {
        var all = new ArrayList<>(before);
        all.addAll(notices);
        return all;
    }

    /// Looks at what the run left, and takes the placeholders away. Nothing of the cage may live any more.
    ///
    /// @return what the host would execute and what was taken out of its way, each one sentence
    List<String> lift() throws IOException {
        if (lifted || built.isEmpty()) {
            close();
            return List.of();
        }
        lifted = true;
        release();
        var spec = built.get();
        var told = new ArrayList<>(uncovered.map(Uncovered::last).orElse(List.of()));
        told.addAll(configs.bring(spec));
        told.addAll(looked(spec));
        return told;
    }

    private List<String> looked(CageSpec spec) throws IOException {
        return switch (ground) {
            case Ground.Unwritten _ -> List.of();
            case Ground.Host _ -> leftover(spec);
            case Ground.Copy(Placeholders.Copied placeholders, SessionCopy _) ->
                placeholders.appeared(held).stream().map(Notice::line).toList();
        };
    }

    private List<String> leftover(CageSpec spec) throws IOException {
        var since = new AfterRun.Since(started, session.folder().resolve("quarantine"));
        var host = new AfterRun.Host(OwnConfigs.harmless(spec), programs);
        var report = AfterRun.report(plan, held, since, host);
        var leftover = Leftover.of(linked.isEmpty() ? report : linked.get().with(report, since, host), scripts);
        leftover.store(session.folder());
        return leftover.told(session.id().value());
    }

    private void release() throws IOException {
        switch (ground) {
            case Ground.Unwritten _ -> {}
            case Ground.Host(Placeholders placeholders) ->
                tell(placeholders.remove(session.id().value()));
            case Ground.Copy(Placeholders.Copied placeholders, SessionCopy copy) -> {
                tell(placeholders.remove(held));
                copy.store();
            }
        }
    }

    private void tell(List<Notice> told) {
        told.stream().map(Notice::line).forEach(notices::add);
    }

    /// Takes the placeholders away if [#lift] has not.
    @Override
    public void close() throws IOException {
        if (!lifted) {
            lifted = true;
            release();
            configs.discard();
        }
    }
}
