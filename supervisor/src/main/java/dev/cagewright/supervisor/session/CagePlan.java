package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.CageSpec.NetAccess;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.ExecRights;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CageEnvironment;
import dev.cagewright.sandbox.environment.DroppedVariable;
import dev.cagewright.sandbox.environment.EnvironmentRequest;
import dev.cagewright.sandbox.programs.ExecClosure;
import dev.cagewright.sandbox.programs.ProgramNotFoundException;
import dev.cagewright.sandbox.programs.Programs;
import dev.cagewright.sandbox.programs.ResolvedProgram;
import dev.cagewright.supervisor.copy.CopyPlace;
import dev.cagewright.supervisor.copy.RunCopies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Everything that is settled before a cage is built: what it is made of, and how its program starts.
/// Pure but for looking files up.
///
/// @param spec without masks, which [WorkspaceGuard] adds
/// @param copied what the cage works on by copy, the workspace first; [CagedRun] makes the copies
/// @param grantsWorkspace false when the policy does not mention the workspace, so that an empty one stands in
record CagePlan(CageSpec spec, Launch launch, List<CopyPlace> copied, boolean grantsWorkspace, List<String> notices) {
    private static final class Draft {
        private final List<String> notices = new ArrayList<>();
    }

    /// @param scratch an empty directory for cages whose policy grants no workspace
    /// @throws ProgramNotFoundException if the program is not in the cage
    /// @throws ConfinementException if the policy asks for what cannot be built
    static CagePlan of(Session session, Action.ProcExec program, RunRequest request, Path scratch)
            throws ConfinementException, ProgramNotFoundException {
        var draft = new Draft();
        var terms = session.terms();
        var layout = CageLayout.of(terms.mounts(), program.workingDirectory());
        var workspace = layout.workspace().isPresent()
                ? HostDirectory.open(request.workspace(), layout.workspace().get())
                : HostDirectory.open(ByteString.of(scratch.toString()), Access.READ_ONLY);
        var programs = programs(layout, workspace);
        var resolved = programs.resolve(program.argv().getFirst());
        var spec = CageSpec.of(session.id().value(), workspace)
                .withMounts(layout.mounts())
                .withLimits(terms.limits())
                .withExec(execRights(terms.allowlist(), programs, draft))
                .withNetCell(terms.net().isOpen() ? NetAccess.REQUESTED : NetAccess.NONE);
        var launch = new Launch(
                ByteString.of(resolved.named().toString()), environment(session, request, draft), request.streams());
        warnIfWritable(resolved, draft);
        return new CagePlan(
                spec, launch, copied(layout, workspace), layout.workspace().isPresent(), List.copyOf(draft.notices));
    }

    /// The same plan on `copies` of what it works on by copy.
    CagePlan with(RunCopies copies) throws ConfinementException {
        var told = new ArrayList<>(notices);
        told.addAll(copies.notices());
        return new CagePlan(copies.over(spec), launch, copied, grantsWorkspace, told);
    }

    private static List<CopyPlace> copied(CageLayout layout, HostDirectory workspace) throws ConfinementException {
        var places = new ArrayList<CopyPlace>();
        for (GuestPath at : layout.copied()) {
            if (ByteString.of(at.value()).equals(workspace.path())) {
                places.addFirst(new CopyPlace(at, workspace));
            } else {
                places.add(new CopyPlace(at, HostDirectory.open(ByteString.of(at.value()), Access.READ_WRITE)));
            }
        }
        return List.copyOf(places);
    }

    private static Programs programs(CageLayout layout, HostDirectory workspace) {
        var writable = new ArrayList<>(layout.directories(Access.READ_WRITE));
        var readable = new ArrayList<>(layout.directories(Access.READ_ONLY));
        var here = Path.of(workspace.path().utf8().orElseThrow());
        (workspace.access() == Access.READ_WRITE ? writable : readable).add(here);
        return Programs.ofHost(writable, readable).with(layout.sources());
    }

    private static ExecRights execRights(Optional<List<String>> allowlist, Programs programs, Draft draft)
            throws ConfinementException {
        if (allowlist.isEmpty()) {
            return new ExecRights.Everything();
        }
        var closure = ExecClosure.of(allowlist.get(), programs);
        closure.missing().forEach(name -> draft.notices.add("exec.allowlist: " + name));
        closure.warnings().forEach(draft.notices::add);
        var paths = closure.hostPaths().stream()
                .map(path -> ByteString.of(path.toString()))
                .toList();
        if (paths.isEmpty()) {
            throw new ConfinementException(
                    "exec",
                    "exec.allowlist",
                    "none of its programs is on this host",
                    "install one or correct the list");
        }
        return new ExecRights.Only(paths);
    }

    private static List<ByteString> environment(Session session, RunRequest request, Draft draft) {
        var streams = request.streams() instanceof Streams.Pty
                ? EnvironmentRequest.Streams.TERMINAL
                : EnvironmentRequest.Streams.PIPES;
        var user = request.caller().getOrDefault(ByteString.of("USER"), ByteString.of("cage"));
        var environment = CageEnvironment.compose(new EnvironmentRequest(
                request.caller(),
                session.terms().environment(),
                user.latin1(),
                session.id().value(),
                streams));
        var decoys = request.secrets().variables();
        tellDropped(
                environment.told().stream()
                        .filter(one -> !decoys.containsKey(one.name().latin1()))
                        .toList(),
                draft);
        var block = new ArrayList<>(environment.block());
        session.terms().net().policy().registryVariables().forEach((name, value) -> {
            if (!environment.variables().containsKey(ByteString.of(name))) {
                block.add(ByteString.of(name + "=" + value));
            }
        });
        return request.secrets().over(block);
    }

    private static void tellDropped(List<DroppedVariable> dropped, Draft draft) {
        dropped.stream().map(one -> "environment: " + one.sentence()).forEach(draft.notices::add);
    }

    private static void warnIfWritable(ResolvedProgram program, Draft draft) {
        if (program.place() == ResolvedProgram.Place.WRITABLE) {
            draft.notices.add("program: " + ByteString.of(program.target().toString())
                    + " can be changed by the workload itself");
        }
    }
}
