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
import dev.cagewright.sandbox.Limits;
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
import dev.cagewright.supervisor.credentials.GitAnswers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Everything that is settled before a cage is built: what it is made of, and how programs start in it.
/// Pure but for looking files up.
///
/// @param spec without masks, which [WorkspaceGuard] adds
/// @param programs where programs are found
/// @param copied what the cage works on by copy, the workspace first; [StandingCage] makes the copies
/// @param grantsWorkspace false when the policy does not mention the workspace, so that an empty one stands in
record CagePlan(
        CageSpec spec, Programs programs, List<CopyPlace> copied, boolean grantsWorkspace, List<String> notices) {
    private static final class Draft {
        private final List<String> notices = new ArrayList<>();
    }

    /// How one program starts.
    ///
    /// @param notices what a person should hear of it, each one sentence
    record Start(Launch launch, List<String> notices) {
        Start {
            notices = List.copyOf(notices);
        }
    }

    /// The plan of a cage for one program.
    ///
    /// @param scratch an empty directory for cages whose policy grants no workspace
    /// @throws ProgramNotFoundException if the program is not in the cage
    /// @throws ConfinementException if the policy asks for what cannot be built
    static CagePlan of(Session session, Action.ProcExec program, RunRequest request, Path scratch)
            throws ConfinementException, ProgramNotFoundException {
        var ground = Ground.of(session, request, scratch);
        ground.programs().resolve(program.argv().getFirst());
        return of(session, ground);
    }

    /// The plan of a cage for whatever comes.
    ///
    /// @param scratch an empty directory for cages whose policy grants no workspace
    /// @throws ConfinementException if the policy asks for what cannot be built
    static CagePlan standing(Session session, RunRequest request, Path scratch) throws ConfinementException {
        return of(session, Ground.of(session, request, scratch));
    }

    /// What a cage stands on.
    private record Ground(CageLayout layout, HostDirectory workspace, Programs programs) {
        static Ground of(Session session, RunRequest request, Path scratch) throws ConfinementException {
            var layout = CageLayout.of(session.terms().mounts(), session.hereOf(request));
            var workspace = layout.workspace().isPresent()
                    ? HostDirectory.open(request.workspace(), layout.workspace().get())
                    : HostDirectory.open(ByteString.of(scratch.toString()), Access.READ_ONLY);
            return new Ground(layout, workspace, CagePlan.programs(layout, workspace));
        }
    }

    private static CagePlan of(Session session, Ground ground) throws ConfinementException {
        var draft = new Draft();
        var terms = session.terms();
        var layout = ground.layout();
        var spec = CageSpec.of(session.id().value(), ground.workspace())
                .withMounts(layout.mounts())
                .withLimits(terms.limits())
                .withExec(execRights(terms.allowlist(), ground.programs(), draft))
                .withNetCell(terms.net().isOpen() ? NetAccess.REQUESTED : NetAccess.NONE);
        return new CagePlan(
                spec,
                ground.programs(),
                copied(layout, ground.workspace()),
                layout.workspace().isPresent(),
                List.copyOf(draft.notices));
    }

    /// How `program` starts in a cage of this plan.
    ///
    /// @throws ProgramNotFoundException if the program is not in the cage
    Start start(Session session, Action.ProcExec program, RunRequest request) throws ProgramNotFoundException {
        var draft = new Draft();
        var resolved = programs.resolve(program.argv().getFirst());
        var launch = launch(ByteString.of(resolved.named().toString()), session, request, draft);
        warnIfWritable(resolved, draft);
        return new Start(launch, draft.notices);
    }

    /// The same for a program that the cage itself may have made, which only the kernel finds: one that is named by its
    /// path is left to it.
    ///
    /// @throws ProgramNotFoundException if a name is no program's of the cage
    Start startInside(Session session, Action.ProcExec program, RunRequest request) throws ProgramNotFoundException {
        try {
            return start(session, program, request);
        } catch (ProgramNotFoundException e) {
            var named = program.argv().getFirst();
            if (named.at(0) != '/') {
                throw e;
            }
            var draft = new Draft();
            return new Start(launch(named, session, request, draft), draft.notices);
        }
    }

    private static Launch launch(ByteString program, Session session, RunRequest request, Draft draft) {
        return new Launch(program, environment(session, request, draft), request.streams(), request.leftovers());
    }

    /// The same plan on `copies` of what it works on by copy.
    CagePlan with(RunCopies copies) throws ConfinementException {
        var told = new ArrayList<>(notices);
        told.addAll(copies.notices());
        return new CagePlan(copies.over(spec), programs, copied, grantsWorkspace, told);
    }

    /// The same plan with other limits.
    CagePlan limited(Limits limits) {
        return new CagePlan(spec.withLimits(limits), programs, copied, grantsWorkspace, notices);
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
                streams,
                request.path()));
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
        GitAnswers.variables(request.secrets(), session.terms().net().policy())
                .forEach((name, value) -> block.add(ByteString.of(name + "=" + value)));
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
