package dev.cagewright.cli.run;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.summary.RunSummary;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.DenialText;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.receipt.ProgramsStated;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.issue.CageWitness;
import dev.cagewright.supervisor.receipt.issue.KeyAhead;
import dev.cagewright.supervisor.receipt.issue.Receipts;
import dev.cagewright.supervisor.session.CageTerms;
import dev.cagewright.supervisor.session.DenialReport;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.SessionRecording;
import dev.cagewright.supervisor.session.UnavailableLogException;
import dev.cagewright.supervisor.setup.SetupPhase;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A session in which calls come and go, from the choice of its policy to the end on record: what [ProgramRun] is for
/// one program.
public final class CallSession {
    private final Console console;
    private final StateFolders folders;
    private final RunOptions options;
    private final What what;

    /// @param options as somebody gave them
    public CallSession(Console console, StateFolders folders, RunOptions options, What what) {
        this.console = console;
        this.folders = folders;
        this.options = options;
        this.what = what;
    }

    /// What is served.
    ///
    /// @param command as records say it
    /// @param telling what is said at the end, besides what is wrong
    public record What(List<String> command, Telling telling) {
        public What {
            command = List.copyOf(command);
        }
    }

    /// How much is said of what went well.
    public enum Telling {
        /// All that it came to.
        SUMMARY,
        NOTHING
    }

    /// What calls stand on.
    ///
    /// @param workspace an absolute path of the host without links
    /// @param caller the variables of whoever serves
    /// @param witness hears of the cage and its programs
    public record Open(
            Session session,
            PolicyInForce policy,
            ByteString workspace,
            Map<ByteString, ByteString> caller,
            RunSecrets secrets,
            RuntimeSource runtime,
            CageWitness witness) {}

    /// What is done in it.
    @FunctionalInterface
    public interface Deed {
        /// Does it, and takes down what it brought up.
        Served in(Open open) throws IOException, InterruptedException;
    }

    /// How it was.
    ///
    /// @param code the exit code
    /// @param afterwards what the cage left, each one sentence
    public record Served(int code, List<String> afterwards) {
        public Served {
            afterwards = List.copyOf(afterwards);
        }
    }

    /// Opens it, does `deed` in it, and puts on record how that was.
    ///
    /// @param askers the ways to a person whom the policy wants asked
    /// @return the exit code
    public int run(StoredSecrets stored, List<Asker> askers, Deed deed)
            throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        var key = KeyAhead.begin(folders);
        int code;
        try (var cages = CageAhead.begin(NamespacesRuntime::startForOne, NamespacesRuntime::start)) {
            var chosen = new PolicyChoice(folders, stored, Optional.empty()).of(options);
            try (var lent = stored.lent(chosen.inForce().effective())) {
                code = in(chosen, new Begun(key, cages, lent, askers), deed);
            }
        }
        new ScheduledCheckpoint(console, folders)
                .ifDue(options.audit().map(log -> Path.of(log).toAbsolutePath().normalize()));
        return code;
    }

    private record Begun(KeyAhead key, CageAhead cages, RunSecrets secrets, List<Asker> askers) {}

    /// What comes one after the other.
    private record Course(Optional<SetupPhase> setup, Deed deed) {}

    private CageTerms terms(PolicyInForce policy, TokenChoice token) {
        var own = options.copy() ? policy.terms().withCopiedWorkspace() : policy.terms();
        return token.judge().map(own::under).orElse(own);
    }

    private int in(PolicyChoice.Chosen chosen, Begun begun, Deed deed) throws IOException, InterruptedException {
        var id = SessionId.random(new SecureRandom());
        var policy = chosen.inForce();
        var log = options.audit().isPresent()
                ? Path.of(options.audit().get()).toAbsolutePath().normalize()
                : folders.auditLog();
        var place = new Session.Place(folders.session(id), new OwnFiles(folders, log, policy.files()));
        try (var token = TokenChoice.of(options.token(), folders)) {
            int code;
            try (var session = Session.open(id, terms(policy, token), place, policy::reasons, begun.askers())) {
                ProgramRun.noteToken(session, token);
                token.handOn(session);
                var setup = policy.setup()
                        .map(phase -> new SetupPhase(
                                session.under(terms(phase.policy(), token), phase.policy()::reasons), phase));
                code = recorded(session, policy, begun, new Course(setup, deed));
            }
            if (what.telling() == Telling.SUMMARY) {
                new RunSummary(console, folders, id).tell();
            }
            learning(id, chosen).lesson().ifPresent(lesson -> new LessonText(console).show(lesson));
            return code;
        } catch (UnavailableLogException e) {
            new DenialText(console).show("denied", DenialReport.withoutLog(String.valueOf(e.getMessage())));
            return ExitCode.DENIED.code();
        }
    }

    private Learning learning(SessionId id, PolicyChoice.Chosen chosen) {
        return chosen.written()
                .<Learning>map(written -> new Learning.On(console, folders, id, written))
                .orElseGet(Learning.Off::new);
    }

    private int recorded(Session session, PolicyInForce policy, Begun begun, Course course)
            throws IOException, InterruptedException {
        var workspace = options.workspacePath();
        var recording = SessionRecording.begin(
                new SessionStore(folders),
                session,
                policy,
                new SessionRecording.Named(what.command(), workspace.printable()));
        if (options.learn()) {
            session.note("run.learning", JsonObject.EMPTY);
            console.say("learning: hosts that no rule of the policy names are let through and recorded");
        }
        ProgramRun.tellInterrupted(console, session);
        session.noteLent(begun.secrets());
        var receipts = Receipts.of(session, policy, folders, begun.key());
        var witness = new CageWitness(InstantSource.system());
        var caller = CallerEnvironment.read();
        if (course.setup().isPresent()) {
            var request = new RunRequest(List.of(), workspace, caller, Streams.Pipes.discarding(), begun.secrets());
            var failed = new SetupRun(course.setup().get(), view(policy), begun.cages(), Steering::new)
                    .run(request, witness.whole());
            if (failed.isPresent()) {
                return neverUp(failed.get(), witness, receipts, recording);
            }
        }
        session.note("cage.up", name(session).build());
        var served =
                course.deed().in(new Open(session, policy, workspace, caller, begun.secrets(), begun.cages(), witness));
        session.askNoMore();
        var told = new ArrayList<>(served.afterwards());
        told.addAll(ended(session, witness, receipts, served));
        recording.end("ended", served.code());
        told.forEach(sentence -> console.say(Visible.text(sentence)));
        return served.code();
    }

    /// Tells of the set-up alone, on standard error.
    private RunText view(PolicyInForce policy) {
        return new RunText(console, policy, RunText.Voice.NORMAL, new Learning.Off(), Optional.empty());
    }

    /// There is no cage, and nobody is served.
    private int neverUp(SetupRun.Failed failed, CageWitness witness, Receipts receipts, SessionRecording recording)
            throws IOException {
        var told = issued(witness, receipts, RunEnd.notBegun(failed.why(), failed.code()));
        recording.end("setup-failed", failed.code());
        told.forEach(sentence -> console.say(Visible.text(sentence)));
        console.say("not begun: " + Visible.text(failed.why()));
        return failed.code();
    }

    private static JsonObject.Builder name(Session session) {
        return Json.object().put("name", session.terms().name());
    }

    private List<String> ended(Session session, CageWitness witness, Receipts receipts, Served served)
            throws IOException {
        witness.down();
        session.note(ProgramsStated.DOWN, name(session).put("state", "ended").build());
        return issued(witness, receipts, RunEnd.ofCage("ended", witness.used(), served.afterwards()));
    }

    private List<String> issued(CageWitness witness, Receipts receipts, RunEnd end) throws IOException {
        var words = what.command().stream().map(ByteString::of).toList();
        var here = GuestPath.canonical(options.workspacePath().printable());
        return switch (receipts.issue(witness, words, here, end)) {
            case Receipts.Issue.Missing(String why) -> List.of("no receipt: " + why);
            case Receipts.Issue.Issued issued -> {
                var told = new ArrayList<String>();
                if (issued.key().isNew()) {
                    told.add("receipts are signed from now on; keep this public key elsewhere: "
                            + issued.key().open().hex());
                }
                if (!issued.unnamed().isEmpty()) {
                    told.add("receipt not in the log: " + issued.unnamed());
                }
                yield told;
            }
        };
    }
}
