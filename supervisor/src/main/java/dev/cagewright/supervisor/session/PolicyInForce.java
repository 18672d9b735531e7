package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.Explanation;
import dev.cagewright.policy.engine.Remedy;
import dev.cagewright.policy.engine.Rules;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.policy.layers.Sourced;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.supervisor.copy.CopyQuota;
import dev.cagewright.supervisor.journal.ActionText;
import dev.cagewright.supervisor.net.NetTerms;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyLayers;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The policy of one cage as it holds, all layers together: its terms, and the words to explain verdicts
/// with. Immutable and safe for all threads.
public final class PolicyInForce {
    /// In the log's detail of what was let through though no rule allows it.
    public static final String OBSERVED = "observed";

    private final EffectivePolicy effective;
    private final IsolationJudge isolation;
    private final PolicyLayers layers;
    private final Addition addition;
    private final Phase phase;

    private PolicyInForce(
            EffectivePolicy effective, IsolationJudge isolation, PolicyLayers layers, Addition addition, Phase phase) {
        this.effective = effective;
        this.isolation = isolation;
        this.layers = layers;
        this.addition = addition;
        this.phase = phase;
    }

    /// What the caller adds to a cage's own policy.
    @FunctionalInterface
    public interface Addition {
        /// Nothing.
        Addition NOTHING = document -> document;

        PolicyDocument to(PolicyDocument document);
    }

    /// When it is in force.
    private enum Phase {
        SETUP,
        RUN
    }

    /// What comes before the program.
    ///
    /// @param policy in force meanwhile
    /// @param command what runs
    public record Setup(PolicyInForce policy, List<String> command) {
        public Setup {
            command = List.copyOf(command);
        }
    }

    /// The set-up; empty when no layer has one.
    public Optional<Setup> setup() {
        return effective
                .setup()
                .map(before -> new Setup(
                        new PolicyInForce(before, isolation, layers, addition, Phase.SETUP),
                        effective.setupCommand().orElseThrow()));
    }

    /// Puts the layers together on a machine whose registries nobody looks for.
    ///
    /// @param wish the isolation that the caller asks for and the host offers
    /// @throws BadPolicyException with everything that is wrong with a layer
    public static PolicyInForce of(PolicyLayers files, IsolationWish wish) throws BadPolicyException {
        return of(files, wish, Registries.NOT_ASKED);
    }

    /// Puts the layers together.
    ///
    /// @param wish the isolation that the caller asks for and the host offers
    /// @param registries asked for those that a layer names
    /// @throws BadPolicyException with everything that is wrong with a layer
    public static PolicyInForce of(PolicyLayers files, IsolationWish wish, Registries registries)
            throws BadPolicyException {
        return of(files, wish, registries, Addition.NOTHING);
    }

    /// Puts the layers together.
    ///
    /// @param wish the isolation that the caller asks for and the host offers
    /// @param registries asked for those that a layer names
    /// @param addition to the project's layer, now and whenever it is read again
    /// @throws BadPolicyException with everything that is wrong with a layer
    public static PolicyInForce of(PolicyLayers files, IsolationWish wish, Registries registries, Addition addition)
            throws BadPolicyException {
        var layers = layersOf(files, addition);
        var effective = EffectivePolicy.of(layers, registries.of(tools(layers)));
        return new PolicyInForce(
                effective, new IsolationJudge(effective.isolation().value(), wish), files, addition, Phase.RUN);
    }

    /// Of both phases.
    private static List<String> tools(List<Layer> layers) {
        return layers.stream()
                .map(Layer::document)
                .flatMap(document -> Stream.of(document, document.duringSetup()))
                .flatMap(document -> document.net().flatMap(NetSection::registries).stream())
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private static List<Layer> layersOf(PolicyLayers files, Addition addition) {
        var layers = new ArrayList<Layer>();
        files.organisation()
                .map(file -> new Layer(Layer.Rank.ORGANISATION, file.document()))
                .ifPresent(layers::add);
        files.user().map(file -> new Layer(Layer.Rank.USER, file.document())).ifPresent(layers::add);
        files.project()
                .map(file -> new Layer(Layer.Rank.PROJECT, addition.to(file.document())))
                .ifPresent(layers::add);
        return layers;
    }

    /// The same files as they are now.
    private EffectivePolicy readAgain() throws IOException {
        try {
            var now = layersOf(layers.readAgain(), addition);
            return effective.again(phase == Phase.RUN ? now : EffectivePolicy.duringSetup(now));
        } catch (PolicySyntaxException | BadPolicyException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// What would hold with another file of the cage's own.
    ///
    /// @throws BadPolicyException with everything that is wrong with it
    public Judge with(LoadedPolicy project) throws BadPolicyException {
        return effective.again(
                layersOf(new PolicyLayers(layers.organisation(), layers.user(), Optional.of(project)), addition));
    }

    private final class Renewal implements NetTerms.Renewal {
        @Override
        public List<Path> files() {
            return PolicyInForce.this.files();
        }

        @Override
        public boolean isAsRead() throws IOException {
            return layers.isAsRead();
        }

        @Override
        public EffectivePolicy read() throws IOException {
            return readAgain();
        }
    }

    public EffectivePolicy effective() {
        return effective;
    }

    public CageTerms terms() {
        var files = effective.files();
        var judges = new ArrayList<Judge>(effective.judges());
        judges.add(isolation);
        return new CageTerms(
                effective.tool().map(CageName::value).orElse("cage"),
                judges,
                effective.isolation().value(),
                files.mounts().stream().map(Sourced::value).toList(),
                files.waive(),
                files.hide(),
                effective.programs(),
                effective.callerVariables(),
                limits(effective.resources()),
                copies(effective.resources()),
                new NetTerms(effective, denied -> report(denied).wouldAllow(), new Renewal(), setUps()),
                gaps(),
                Optional.empty());
    }

    private Set<Layer.Rank> setUps() {
        return phase == Phase.RUN
                ? Set.of()
                : layersOf(layers, addition).stream()
                        .filter(layer -> layer.document().phases().isPresent())
                        .map(Layer::rank)
                        .collect(Collectors.toSet());
    }

    /// What is asked for and does not hold yet; said after each run, so that nobody counts on it.
    private List<Enforcement.Gap> gaps() {
        var gaps = new ArrayList<Enforcement.Gap>();
        if (effective.resources().files().isPresent() && writesToHost()) {
            gaps.add(new Enforcement.Gap(
                    "files", "the files that a run makes on the host are not counted", "use source: session-copy"));
        }
        if (effective.resources().disk().isPresent() && writesToHost()) {
            gaps.add(new Enforcement.Gap(
                    "disk",
                    "holds for temporary files; what is written to the host is not counted",
                    "use source: session-copy, or a quota of the file system"));
        }
        if (effective.mode().value() == Mode.OBSERVE) {
            gaps.add(new Enforcement.Gap(
                    "mode: observe",
                    "with net.mode: observe, hosts that no rule names are let through and recorded; all else is denied",
                    "make rules of what was seen with cagewright policy init NAME --from-session ID"));
        }
        if (effective.mode().value() == Mode.LOCKDOWN) {
            gaps.add(new Enforcement.Gap(
                    "mode: lockdown",
                    "does what enforce does, and nothing can be granted",
                    "write mode: enforce, unless that is what is wanted"));
        }
        return gaps;
    }

    /// What a policy asks for and cannot have everywhere, for whoever writes it.
    public List<String> notes() {
        var notes = new ArrayList<>(effective.overlaps());
        if (!effective.inspect().blocksBodies()) {
            return notes;
        }
        for (var layer : effective.layers()) {
            var rules = layer.document().net().flatMap(NetSection::hosts).orElse(List.of());
            for (int i = 0; i < rules.size(); i++) {
                var rule = rules.get(i);
                if (rule.inspection() == HostRule.Inspection.PASSED_THROUGH
                        || rule.protocol() == HostRule.Protocol.TCP) {
                    notes.add("net.hosts[" + i + "]: passes unopened, so nothing that inspect blocks is stopped there");
                }
            }
        }
        return notes;
    }

    private boolean writesToHost() {
        return effective.files().mounts().stream()
                .map(Sourced::value)
                .anyMatch(mount -> mount.mode() == Mount.Access.RW && mount.source() instanceof Mount.Source.HostPath);
    }

    private static CopyQuota copies(Resources resources) {
        var quota = CopyQuota.DEFAULT;
        quota = resources.disk().map(size -> size.bytes()).map(quota::withBytes).orElse(quota);
        return resources
                .files()
                .map(count -> count.value())
                .map(quota::withEntries)
                .orElse(quota);
    }

    /// The files that it comes from, as they were read.
    public PolicyLayers layers() {
        return layers;
    }

    /// Where those files are, widest reach first.
    public List<Path> files() {
        return layers.inOrder().stream().map(LoadedPolicy::file).toList();
    }

    /// The program to run when the caller names none.
    public Optional<List<String>> command() {
        return effective.command();
    }

    /// The cage's own policy as the person named it.
    public String name() {
        return layers.project().map(LoadedPolicy::name).orElse("built-in");
    }

    /// The digest of the cage's own policy; empty for the built-in one.
    public String sha256() {
        return layers.project().map(LoadedPolicy::sha256).orElse("");
    }

    /// What is absent is the runtime's default.
    private static Limits limits(Resources resources) {
        var limits = Limits.DEFAULT;
        limits = resources
                .timeout()
                .map(time -> time.value())
                .map(limits::withWall)
                .orElse(limits);
        limits = resources
                .output()
                .map(size -> size.bytes())
                .map(limits::withOutputBytes)
                .orElse(limits);
        limits = resources
                .processes()
                .map(count -> count.value())
                .map(limits::withProcesses)
                .orElse(limits);
        limits = resources
                .memory()
                .map(size -> size.bytes())
                .map(limits::withMemoryBytes)
                .orElse(limits);
        limits = resources
                .cpus()
                .map(cpus -> cpus.thousandths() / 1000.0)
                .map(limits::withCpus)
                .orElse(limits);
        return resources.disk().map(size -> size.bytes()).map(limits::withDisk).orElse(limits);
    }

    /// What is written down beside a verdict.
    public JsonObject reasons(Action action, Decision.Verdict verdict) {
        var reasons = reasonsOf(action, verdict);
        if (phase == Phase.RUN) {
            return reasons;
        }
        var told = Json.object().put("phase", "setup");
        reasons.members().forEach(told::put);
        return told.build();
    }

    private JsonObject reasonsOf(Action action, Decision.Verdict verdict) {
        return switch (verdict) {
            case Decision.Allow allow
            when allow.because().contains(Rules.NET_MODE) ->
                Json.object()
                        .put(OBSERVED, true)
                        .put("why", "no rule allows it; net.mode: observe lets it through")
                        .build();
            case Decision.Allow _ -> JsonObject.EMPTY;
            case Decision.Deny deny -> report(Optional.empty(), action, deny).reasons();
        };
    }

    public DenialReport report(DeniedException denied) {
        return report(Optional.of(denied.id()), denied.action(), denied.denial());
    }

    public DenialReport report(Action action, Decision.Deny deny) {
        return report(Optional.empty(), action, deny);
    }

    /// The policy's own denial is explained by the code that made it; the isolation's and the log's explain
    /// themselves.
    private DenialReport report(Optional<DecisionId> id, Action action, Decision.Deny deny) {
        if (deny.code() == DenyCode.BUDGET) {
            return usedUp(id, action, deny);
        }
        var explained = effective.explain(action).explanation();
        var isPolicys = explained.decision().equals(deny);
        return new DenialReport(
                id,
                ActionText.of(action),
                deny.because().stream().map(RuleId::value).toList(),
                deny.code().name(),
                deny.detail(),
                isPolicys ? Optional.of(place(explained)) : placeOfCondition(action, deny),
                isPolicys ? remedy(explained) : remedyOfCondition(action, deny));
    }

    /// A condition that the arguments of a call have to meet stands in the entry that lets the call through.
    private Optional<String> placeOfCondition(Action action, Decision.Deny deny) {
        return conditional(action, deny)
                .map(entry -> deny.because().getFirst()
                        + entry.origin().map(origin -> " (" + origin + ")").orElse(""));
    }

    private List<String> remedyOfCondition(Action action, Decision.Deny deny) {
        return conditional(action, deny)
                .map(_ -> "# other arguments, or a wider condition in "
                        + deny.because().getFirst())
                .stream()
                .toList();
    }

    private Optional<EffectivePolicy.LayeredTool> conditional(Action action, Decision.Deny deny) {
        var rule = deny.because().getFirst().value();
        return action instanceof Action.McpCall(String server, String tool) && deny.code() == DenyCode.FORBIDDEN
                ? effective.toolRules(server, tool).stream()
                        .filter(entry -> rule.equals(entry.named().id().value())
                                || rule.startsWith(entry.named().id() + "."))
                        .findFirst()
                : Optional.empty();
    }

    /// A budget's denial stands where the budget does, and time may be all that it takes.
    private DenialReport usedUp(Optional<DecisionId> id, Action action, Decision.Deny deny) {
        var rules = deny.because().stream().map(RuleId::value).toList();
        var budget = effective.budgets(action).stream()
                .filter(each -> rules.getFirst().startsWith(each.named().id() + "."))
                .findFirst();
        return new DenialReport(
                id,
                ActionText.of(action),
                rules,
                deny.code().name(),
                deny.detail(),
                budget.map(EffectivePolicy.LayeredBudget::place),
                List.of("# a larger " + rules.getFirst() + ", or waiting until there is more"));
    }

    private List<String> remedy(Explanation explained) {
        var lines = remedyOf(explained);
        if (phase == Phase.RUN || !lines.getFirst().equals("net:")) {
            return lines;
        }
        var inside = new ArrayList<>(List.of("phases:", "  setup:"));
        lines.forEach(line -> inside.add("    " + line));
        return inside;
    }

    private static String place(Explanation explained) {
        return explained.rules().getFirst().toString();
    }

    private static List<String> remedyOf(Explanation explained) {
        return explained.remedy().map(Remedy::yaml).map(String::lines).stream()
                .flatMap(lines -> lines)
                .toList();
    }
}
