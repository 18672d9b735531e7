package dev.cagewright.cli.fetch;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.approval.Ways;
import dev.cagewright.cli.run.TokenChoice;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.DenialText;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.fetch.HostFetch;
import dev.cagewright.supervisor.fetch.Problem;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.session.DenialReport;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.UnavailableLogException;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `cagewright fetch`: one request of the host's own, by the way that a cage's requests go.
@Command(
        name = "fetch",
        description = {
            "Makes one request under a policy, and under a token where one is named: judged, recorded, verified and"
                    + " counted as a cage's are. The body goes to the standard output, the status to the error stream.",
            "Ends with 0 when the host answered, whatever it answered; 3 when nobody approved what needs approval;"
                    + " 4 or 5 when the request was denied; 125 when the host could not be had. No redirect is followed."
        },
        mixinStandardHelpOptions = true)
public final class FetchCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Mixin
    private final FetchOptions options = new FetchOptions();

    @Option(names = "--token", paramLabel = "FILE", description = "The token to do it under; - is standard input.")
    private Optional<String> token = Optional.empty();

    @Option(names = "--key-hex", paramLabel = "FILE", description = "The host's key that the token is verified with.")
    private Optional<String> keyHex = Optional.empty();

    @Option(
            names = {"--revocation-file", "--revocations"},
            paramLabel = "FILE",
            description = "The signed list of what is revoked; by default that of the key in your state folder.")
    private Optional<String> revocations = Optional.empty();

    @Option(names = "--audit", paramLabel = "LOG", description = "The log; by default the one of your state folder.")
    private Optional<Path> audit = Optional.empty();

    public FetchCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        var files = PolicyFiles.of(folders);
        var policy = PolicyInForce.of(
                files.layersOver(Optional.of(files.find(options.policy()))),
                IsolationWish.CAGE,
                Registries.ofHost(CallerEnvironment.read(), List.of()));
        try (var choice = TokenChoice.of(new TokenChoice.Files(token, keyHex, revocations), folders);
                var stored = new StoredSecrets(folders, new TerminalPerson(console));
                var lent = lent(stored, policy)) {
            return under(policy, choice, lent);
        }
    }

    private RunSecrets lent(StoredSecrets stored, PolicyInForce policy) throws IOException {
        var name = options.credential();
        return name.isPresent() ? stored.lent(policy.effective(), name.get()) : RunSecrets.NONE;
    }

    private int under(PolicyInForce policy, TokenChoice choice, RunSecrets secrets)
            throws IOException, InterruptedException {
        var id = SessionId.random(new SecureRandom());
        var log = audit.isPresent() ? audit.get().toAbsolutePath().normalize() : folders.auditLog();
        var place = new Session.Place(folders.session(id), new OwnFiles(folders, log, policy.files()));
        var terms = choice.judge().map(policy.terms()::under).orElse(policy.terms());
        var askers = new Ways(console, folders).of(options.approvals(), _ -> options.keyboard());
        try (var session = Session.open(id, terms, place, policy::reasons, askers)) {
            session.noteLent(secrets);
            return in(session, policy, secrets);
        } catch (UnavailableLogException e) {
            new DenialText(console).show("denied", DenialReport.withoutLog(String.valueOf(e.getMessage())));
            return ExitCode.DENIED.code();
        }
    }

    private int in(Session session, PolicyInForce policy, RunSecrets secrets) throws IOException, InterruptedException {
        var action = options.action();
        try {
            var ended = new HostFetch(session, options.limits(), secrets)
                    .fetch(action, options.request(secrets.held()), console.out());
            console.out().flush();
            return ended.refusal().isPresent()
                    ? refused(session, action, ended.refusal().get())
                    : answered(ended.answer());
        } catch (DeniedException denied) {
            new DenialText(console).show("denied", policy.report(denied));
            return ExitCode.of(denied.denial()).code();
        } catch (ConfinementException e) {
            console.say(Visible.text(String.valueOf(e.getMessage())));
            return ExitCode.NO_CAGE.code();
        }
    }

    private int answered(HostAnswer answer) {
        console.say("HTTP " + answer.status() + ", " + answer.bytes() + " bytes"
                + answer.contentType().map(type -> ", " + Visible.text(type)).orElse(""));
        if (answer.cut().isPresent()) {
            console.say("the answer is cut: " + answer.cut().get());
            return ExitCode.NO_CAGE.code();
        }
        if (console.isBroken()) {
            throw new IllegalArgumentException("the answer could not be written to the standard output");
        }
        return ExitCode.OK.code();
    }

    /// What the gateway refused it has put on record.
    private int refused(Session session, Action action, Problem problem) {
        new DenialText(console).show(problem.isDenial() ? "denied" : "failed", problem.report(action));
        if (!problem.isDenial()) {
            return ExitCode.NO_CAGE.code();
        }
        return switch (session.gate().judge(action)) {
            case Decision.Deny deny -> ExitCode.of(deny).code();
            case Decision.Ask ask when asks(ask, problem) -> ExitCode.of(ask).code();
            case Decision.Ask _, Decision.Allow _ -> ExitCode.DENIED.code();
        };
    }

    /// Was it for want of an agreement, and not for what an agreement leaves to others?
    private static boolean asks(Decision.Ask ask, Problem problem) {
        return ask.because().stream().map(RuleId::value).anyMatch(problem.rule().orElse("")::equals);
    }
}
