package dev.cagewright.policy.layers;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.Origin;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.policy.engine.Explanation;
import dev.cagewright.policy.engine.Registry;
import dev.cagewright.policy.engine.Rules;
import dev.cagewright.policy.engine.Terms;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.mcp.McpRules;
import dev.cagewright.policy.mcp.RequestTerms;
import dev.cagewright.policy.mcp.ResultTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What holds in a cage when several files speak: every layer that has an opinion has to allow, and at least one has to
/// have one. Immutable and safe for all threads.
public final class EffectivePolicy implements Judge {
    private static final Decision NOBODY =
            new Decision.Deny(Rules.DEFAULT, DenyCode.NO_RULE, "no policy file says anything about it");
    private static final Decision ANY_PROGRAM = new Decision.Allow(Rules.ANY_PROGRAM);

    /// A layer's rule about a destination.
    public record LayeredRule(Layer.Rank rank, CompiledPolicy.NamedHostRule named) {
        public HostRule rule() {
            return named.rule();
        }
    }

    /// A layer's budget.
    ///
    /// @param origin the place of it
    public record LayeredBudget(Layer.Rank rank, CompiledPolicy.NamedBudget named, Optional<Origin> origin) {
        /// E.g. `requests 500/day (net.hosts[2].budget, cage.yaml:14:7)`.
        @Override
        public String toString() {
            return named.budget() + " (" + named.id()
                    + origin.map(place -> ", " + place).orElse("") + ")";
        }

        /// Where it stands, e.g. `net.hosts[2].budget (cage.yaml:14:7)`.
        public String place() {
            return named.id() + origin.map(place -> " (" + place + ")").orElse("");
        }
    }

    /// A layer's entry of `mcp.tools`.
    ///
    /// @param origin the place of it
    public record LayeredTool(Layer.Rank rank, McpRules.Named named, Optional<Origin> origin) {}

    /// An explanation, and the layer whose answer it is.
    public record LayeredExplanation(Layer layer, Explanation explanation) {}

    record CompiledLayer(Layer layer, CompiledPolicy policy) {}

    private final Stack stack;
    private final Map<String, Registry> registries;
    private final List<CompiledLayer> layers;
    private final Optional<EffectivePolicy> setup;

    private EffectivePolicy(
            Stack stack,
            Map<String, Registry> registries,
            List<CompiledLayer> layers,
            Optional<EffectivePolicy> setup) {
        this.stack = stack;
        this.registries = Map.copyOf(registries);
        this.layers = List.copyOf(layers);
        this.setup = setup;
    }

    /// Compiles `layers`.
    ///
    /// @param layers at least one, in any order
    /// @param registries each package registry, by the name of its tool
    /// @throws BadPolicyException with everything that is wrong with the first bad one, the highest first
    public static EffectivePolicy of(List<Layer> layers, Map<String, Registry> registries) throws BadPolicyException {
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("layers: [] (expected: at least one)");
        }
        var stack = new Stack(layers);
        var terms = new Terms(
                Terms.Silence.ABSTAINS,
                Optional.of(stack.mode().value()),
                stack.patience().map(Sourced::value),
                registries);
        var compiled = new ArrayList<CompiledLayer>();
        for (Layer layer : stack.layers()) {
            refuseJars(layer);
            compiled.add(new CompiledLayer(layer, CompiledPolicy.compile(layer.document(), terms)));
        }
        return new EffectivePolicy(stack, registries, compiled, setup(stack, registries));
    }

    /// Those that a layer names; others are the other phase's.
    private Collection<Registry> registriesInForce() {
        var own = new TreeMap<>(registries);
        own.keySet().retainAll(stack.registries());
        return own.values();
    }

    /// The layers as they hold while the set-up runs.
    public static List<Layer> duringSetup(List<Layer> layers) {
        return layers.stream()
                .map(layer -> new Layer(layer.rank(), layer.document().duringSetup()))
                .toList();
    }

    private static Optional<EffectivePolicy> setup(Stack stack, Map<String, Registry> registries)
            throws BadPolicyException {
        if (stack.setupCommand().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(
                    stack.layers().stream()
                            .map(layer ->
                                    new Layer(layer.rank(), layer.document().duringSetup()))
                            .toList(),
                    registries));
        } catch (BadPolicyException e) {
            throw e.ofSetup();
        }
    }

    /// What holds while the set-up runs, before the program; empty when no layer has one.
    public Optional<EffectivePolicy> setup() {
        return setup;
    }

    /// What the set-up runs, by the lowest layer that has one.
    public Optional<List<String>> setupCommand() {
        return stack.setupCommand().map(Sourced::value);
    }

    /// What other layers come to with the registries of these.
    ///
    /// @throws BadPolicyException like [#of]
    public EffectivePolicy again(List<Layer> others) throws BadPolicyException {
        return of(others, registries);
    }

    /// What a jar holds runs outside of the cage, and a project's file may come from anywhere.
    private static void refuseJars(Layer layer) throws BadPolicyException {
        var jars = layer.document().inspect().flatMap(InspectSection::custom).orElse(List.of());
        if (layer.rank() == Layer.Rank.PROJECT && !jars.isEmpty()) {
            throw BadPolicyException.of(
                    layer.document().origins(),
                    "inspect.custom",
                    "inspect.custom: \"" + jars.getFirst()
                            + "\" (expected: only in the organisation's or the user's file, since it runs outside of"
                            + " the cage)");
        }
    }

    /// What the gate takes.
    public List<Judge> judges() {
        return List.of(this);
    }

    @Override
    public Decision judge(Action action) {
        @Nullable Decision allowed = null;
        Decision.@Nullable Ask question = null;
        for (int i = 0; i < layers.size(); i++) {
            var policy = layers.get(i).policy();
            var decision = policy.judge(action);
            if (decision instanceof Decision.Deny) {
                return decision;
            }
            if (policy.speaksOf(action)) {
                allowed = decision;
            }
            if (decision instanceof Decision.Ask ask && question == null) {
                question = ask;
            }
        }
        if (allowed == null && action instanceof Action.ProcExec) {
            allowed = ANY_PROGRAM;
        }
        return allowed == null ? NOBODY : question == null ? allowed : question;
    }

    /// The rules of one layer that an action meets; none if there is no such layer.
    public List<RuleId> rulesFor(Layer.Rank rank, Action action) {
        return layers.stream()
                .filter(each -> each.layer().rank() == rank)
                .flatMap(each -> each.policy().rulesFor(action).stream())
                .toList();
    }

    /// What [#judge] answers where a grant speaks, too: it fills the silence of the project's layer and, within what
    /// those say may be granted, of higher ones. Every denial stands, and so does every question.
    ///
    /// @param granted what the grant says of `action`
    public Decision judge(Action action, Decision.Allow granted) {
        return new Granting(this, layers).judge(action, granted);
    }

    /// What may be granted while this holds.
    public Granting granting() {
        return new Granting(this, layers);
    }

    /// How long a person's answer is awaited.
    public Duration patience() {
        return stack.patience().map(sourced -> sourced.value().value()).orElse(ApprovalSection.USUAL_TIMEOUT);
    }

    /// What [#judge] answers and which layer's answer it is; the lowest layer's when nobody says anything.
    public LayeredExplanation explain(Action action) {
        var decision = judge(action);
        boolean isAllowed = decision instanceof Decision.Allow;
        var order = isAllowed ? layers.reversed() : layers;
        var layer = order.stream()
                .filter(each -> each.policy().judge(action).equals(decision))
                .filter(each -> !isAllowed || each.policy().speaksOf(action))
                .findFirst()
                .orElse(layers.getLast())
                .layer();
        return new LayeredExplanation(layer, Explanation.of(layer.document(), action, decision));
    }

    /// The rules of all layers about a destination, the highest first. Whoever acts keeps to all of them: every
    /// budget, every list of addresses; opened unless all pass it through.
    public List<LayeredRule> hostRules(HostName host, int port) {
        return layers.stream()
                .flatMap(each -> each.policy().hostRule(host, port).stream()
                        .map(rule -> new LayeredRule(each.layer().rank(), rule)))
                .toList();
    }

    /// The budgets of all layers that an allowed use of a destination counts against, the highest first. Each holds.
    public List<LayeredBudget> budgets(Action action) {
        return layers.stream()
                .flatMap(each -> each.policy().budgets(action).stream()
                        .map(named -> new LayeredBudget(
                                each.layer().rank(),
                                named,
                                each.layer().document().origins().of(named.id()))))
                .toList();
    }

    /// The entries of all layers that settle a call, the highest first. Its arguments have to suit every one.
    public List<LayeredTool> toolRules(String server, String tool) {
        return layers.stream()
                .flatMap(each -> each.policy().toolRule(server, tool).stream()
                        .map(named -> new LayeredTool(
                                each.layer().rank(),
                                named,
                                each.layer().document().origins().of(named.id()))))
                .toList();
    }

    /// What may come back from servers, by the strictest word of any layer.
    public ResultTerms mcpResults() {
        return stack.results();
    }

    /// What servers may ask of their clients.
    public RequestTerms mcpRequests() {
        return stack.requests();
    }

    /// The PEM file that alone may vouch for this destination, by the highest layer that names one.
    public Optional<String> upstreamCa(HostName host, int port) {
        return hostRules(host, port).stream()
                .flatMap(each -> each.rule().upstreamCa().stream())
                .findFirst();
    }

    /// Variables that tell package tools in the cage where they fetch from, since they do not see the person's files.
    public Map<String, String> registryVariables() {
        var all = new TreeMap<String, String>();
        registriesInForce().forEach(registry -> {
            if (registry instanceof Registry.Known known) {
                all.putAll(known.variables());
            }
        });
        return all;
    }

    /// Where this machine's package tools fetch from, as far as a layer names the tool.
    public List<Registry.Host> registryHosts() {
        return registriesInForce().stream()
                .flatMap(registry -> registry instanceof Registry.Known known ? known.hosts().stream() : Stream.empty())
                .distinct()
                .toList();
    }

    /// How this destination is reached once a request to it is allowed.
    public Destination destination(HostName host, int port) {
        return new Destination(upstream(host), port, hostRules(host, port), upstreamCa(host, port), upstreamProxy());
    }

    /// The proxy that the gateway goes through, by the highest layer that names one.
    public Optional<Upstream.Proxy> upstreamProxy() {
        return stack.upstreamProxy().map(Sourced::value);
    }

    /// The PEM file that is trusted beside the host's own roots, by the highest layer that names one.
    public Optional<String> upstreamRoots() {
        return stack.upstreamRoots().map(Sourced::value);
    }

    /// The host that is dialled for `host`, by the aliases of the lowest layer that knows it.
    public HostName upstream(HostName host) {
        return layers.reversed().stream()
                .map(each -> each.policy().upstream(host))
                .filter(upstream -> !upstream.equals(host))
                .findFirst()
                .orElse(host);
    }

    /// The cage's name, by the lowest layer that gives one.
    public Optional<CageName> tool() {
        return stack.lowest("/tool", PolicyDocument::tool).map(Sourced::value);
    }

    /// The program to run when the caller names none, by the lowest layer that gives one.
    public Optional<List<String>> command() {
        return stack.lowest("/command", PolicyDocument::command).map(Sourced::value);
    }

    /// The strongest isolation that a layer asks for; namespaces when none does.
    public Sourced<Isolation> isolation() {
        return stack.isolation();
    }

    /// The strictest mode that a layer asks for; enforce when none does.
    public Sourced<Mode> mode() {
        return stack.mode();
    }

    /// The smallest of each limit.
    public Resources resources() {
        return stack.resources();
    }

    /// What is looked for in opened traffic, by the strictest word of any layer.
    public InspectSection inspect() {
        return stack.inspect();
    }

    public EffectiveFiles files() {
        return EffectiveFiles.of(stack);
    }

    /// The entries of `net.hosts` that look as if they narrowed a wider one and do not, each one sentence.
    public List<String> overlaps() {
        return layers.stream()
                .flatMap(each -> each.policy().overlaps().stream())
                .toList();
    }

    /// The programs that every list of a layer has; absent when no layer has a list.
    public Optional<List<String>> programs() {
        return stack.programs();
    }

    /// The variables that the caller may set.
    public List<String> callerVariables() {
        return stack.callerVariables();
    }

    /// The credentials that every layer with credentials has.
    public List<Credential> credentials() {
        return stack.credentials();
    }

    /// The hosts that a secret is bound to by the lowest layer with credentials, aliases put in. Higher layers may
    /// refuse some of them: [#judge] says.
    public List<HostPattern> secretHosts(String secret) {
        return layers.stream()
                .filter(each -> each.layer().document().credentials().isPresent())
                .reduce((_, lower) -> lower)
                .map(each -> each.policy().secretHosts(secret))
                .orElse(List.of());
    }

    /// Everything that is in force, one line each, with its layer and place.
    public List<EffectiveLine> lines() {
        return EffectiveLine.of(stack, files(), registries);
    }

    public List<Layer> layers() {
        return stack.layers();
    }
}
