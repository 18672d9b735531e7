package dev.cagewright.cli.changes;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.protect.ProtectionGroup;
import dev.cagewright.supervisor.changes.ChangeJson;
import dev.cagewright.supervisor.changes.apply.Application;
import dev.cagewright.supervisor.changes.apply.ApplyJson;
import dev.cagewright.supervisor.changes.apply.ApplyPlan;
import dev.cagewright.supervisor.changes.apply.ApplyRequest;
import dev.cagewright.supervisor.changes.apply.RecordedAct;
import dev.cagewright.supervisor.changes.apply.Step;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright apply SESSION [PATH...]`: brings a session's changes to the host.
@Command(
        name = "apply",
        description = "Brings a session's changes to the host, file by file, and says what is kept back and why.",
        mixinStandardHelpOptions = true,
        footer = {"", "The exit code is 0 when everything chosen was brought over, else 1."})
public final class ApplyCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final Path home;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(index = "0", paramLabel = "SESSION", description = SessionWord.HELP)
    private String id = "";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(index = "1..*", paramLabel = "PATH", description = "What to bring over; everything by default.")
    private List<String> paths = new ArrayList<>();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--force", paramLabel = "PATH", description = "Overwrite what the host changed at PATH itself.")
    private List<String> forced = new ArrayList<>();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--markers",
            paramLabel = "PATH",
            description = "Write the host's and the cage's lines of PATH both, between marks, where they clash.")
    private List<String> marked = new ArrayList<>();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--waive", paramLabel = "GROUP", description = "Let a group of protected paths be written.")
    private List<String> waived = new ArrayList<>();

    @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    /// @param home the person's home directory
    public ApplyCommand(Console console, StateFolders folders, Path home) {
        this.console = console;
        this.folders = folders;
        this.home = home;
    }

    @Override
    public Integer call() throws IOException {
        return new HeldSession(console, folders, SessionWord.id(folders, id)).act(this::apply);
    }

    private int apply(CopyChoice choice) throws IOException, DeniedException {
        var requests = requests(choice);
        if (!dryRun) {
            for (ApplyRequest request : requests) {
                new Application(request.copy()).recover().forEach(this::say);
            }
        }
        var plans = new ArrayList<ApplyPlan>();
        for (ApplyRequest request : requests) {
            plans.add(Application.plan(request));
        }
        if (dryRun) {
            return show(choice, plans.stream().map(ApplyCommand::undone).toList(), "");
        }
        try (var act = RecordedAct.open(choice.record(), "apply", ApplyJson.intent(plans))) {
            var warrant = act.pass();
            warrant.spend();
            var results = new ArrayList<Application.Result>();
            for (ApplyPlan plan : plans) {
                results.add(new Application(plan.request().copy()).carryOut(plan));
            }
            act.ended(warrant.id(), ApplyJson.outcome(results));
            return show(choice, results, warrant.id().value());
        }
    }

    private void say(String sentence) {
        console.say(Visible.text(sentence));
    }

    /// A plan as if it had been carried out.
    private static Application.Result undone(ApplyPlan plan) {
        var split = plan.steps().stream().collect(Collectors.partitioningBy(Step::isRefused));
        return new Application.Result(
                split.getOrDefault(false, List.of()), split.getOrDefault(true, List.of()), List.of());
    }

    private List<ApplyRequest> requests(CopyChoice choice) {
        var groups = ProtectionGroup.waived(waived);
        var own = new ArrayList<>(List.of(
                folders.config(), folders.state(), Path.of(choice.record().auditLog())));
        var policy = choice.record().policy().name();
        if (policy.startsWith("/")) {
            own.add(Path.of(policy));
        }
        var requests = new ArrayList<ApplyRequest>();
        choice.paths(paths.stream().map(WrittenPath::bytes).toList())
                .forEach((copy, chosen) -> requests.add(new ApplyRequest(
                        copy,
                        chosen,
                        exactly(forced, choice, copy),
                        exactly(marked, choice, copy),
                        groups,
                        new ApplyRequest.Home(home, own))));
        return requests;
    }

    private static Set<RelativePath> exactly(List<String> named, CopyChoice choice, SessionCopy copy) {
        if (named.isEmpty()) {
            return Set.of();
        }
        List<ByteString> words = named.stream().map(WrittenPath::bytes).toList();
        return new HashSet<>(choice.paths(words).getOrDefault(copy, List.of()));
    }

    private int show(CopyChoice choice, List<Application.Result> results, String decision) {
        int done = results.stream().mapToInt(result -> result.done().size()).sum();
        var kept = results.stream().flatMap(result -> result.kept().stream()).toList();
        if (json) {
            print(choice, results, decision);
        } else {
            results.forEach(this::lines);
            var verb = dryRun ? " would be applied" : " applied";
            console.say(done + " of " + (done + kept.size()) + " changes" + verb
                    + (kept.isEmpty() ? "" : ", " + kept.size() + " kept back")
                    + (decision.isEmpty() ? "" : "; " + decision));
        }
        boolean nothing = done + kept.size() == 0 && !paths.isEmpty();
        if (nothing && !json) {
            console.say("there is no change at " + Visible.text(String.join(", ", paths)));
        }
        return (kept.isEmpty() && !nothing ? ExitCode.OK : ExitCode.CHECK_FAILED).code();
    }

    private void lines(Application.Result result) {
        var out = console.out();
        for (Step step : result.done()) {
            out.println(String.format(
                            Locale.ROOT,
                            "%-8s ",
                            step.content() == Step.Content.MERGED
                                    ? "merged"
                                    : ChangeJson.word(step.difference().change()))
                    + step.path());
        }
        for (Step step : result.kept()) {
            step.refusal()
                    .ifPresent(why -> out.println(console.palette().bad(String.format(Locale.ROOT, "%-8s ", "kept"))
                            + step.path() + ": " + why.sentence()));
        }
        result.notes().forEach(note -> out.println(String.format(Locale.ROOT, "%-8s ", "note") + Visible.text(note)));
    }

    private void print(CopyChoice choice, List<Application.Result> results, String decision) {
        var done = results.stream()
                .flatMap(result -> result.done().stream())
                .map(step -> ChangeJson.of(step.difference().change()))
                .toList();
        var kept = results.stream()
                .flatMap(result -> result.kept().stream())
                .map(ApplyJson::kept)
                .toList();
        console.out()
                .println(Json.object()
                        .put("session", choice.record().id().value())
                        .put("decision", decision)
                        .put("applied", done)
                        .put("kept", kept)
                        .put(
                                "notes",
                                results.stream()
                                        .flatMap(result -> result.notes().stream())
                                        .toList())
                        .build()
                        .write());
    }
}
