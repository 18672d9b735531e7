package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.policy.grant.GrantBounds;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.mcp.McpRules;
import dev.cagewright.policy.mcp.McpSection;
import dev.cagewright.policy.quantity.TimeSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One policy document, ready to answer. Immutable and safe for all threads; apart from `proc.exec`, which has to read
/// an argument list, an answer allocates nothing.
public final class CompiledPolicy implements Judge {
    private static final Decision UNKNOWN =
            new Decision.Deny(Rules.DEFAULT, DenyCode.NO_RULE, "no rule of a policy is about this kind of action");
    private static final Decision UNNAMED =
            new Decision.Deny(Rules.DEFAULT, DenyCode.NO_RULE, "no entry of mcp.tools names the tool");
    private static final Decision SILENT = new Decision.Allow(Rules.SILENT);

    private final PolicyDocument document;
    private final Terms terms;
    private final Aliases aliases;
    private final NetRules net;
    private final FsRules fs;
    private final ExecRules exec;
    private final SecretRules secrets;
    private final McpRules mcp;
    private final ApprovalRules approvals;
    private final Optional<GrantBounds> grantBounds;

    private CompiledPolicy(PolicyDocument document, Terms terms, Problems problems) {
        this.document = document;
        this.terms = terms;
        this.aliases = Aliases.of(document, problems);
        var entries = new Entries(document, terms, aliases, problems);
        this.net = NetRules.of(document.net(), terms, entries);
        this.fs = FsRules.of(document.fs(), terms, problems);
        this.exec = ExecRules.of(document.exec(), fs, terms);
        this.secrets = SecretRules.of(document.credentials(), terms, entries);
        this.mcp = McpRules.of(
                document.mcp(),
                speaksOfTools() || terms.silence() == Terms.Silence.DENIES ? UNNAMED : SILENT,
                patience());
        this.approvals = new ApprovalRules(document.approval(), terms, entries);
        this.grantBounds = document.net().flatMap(NetSection::mayGrant).map(entries::bounds);
    }

    private Duration patience() {
        return terms.patience()
                .or(() -> document.approval().flatMap(ApprovalSection::timeout))
                .map(TimeSpan::value)
                .orElse(ApprovalSection.USUAL_TIMEOUT);
    }

    private boolean speaksOfTools() {
        return document.mcp().flatMap(McpSection::tools).isPresent();
    }

    /// Compiles a cage's own policy.
    ///
    /// @throws BadPolicyException with everything that is wrong
    public static CompiledPolicy compile(PolicyDocument document) throws BadPolicyException {
        return compile(document, Terms.ALONE);
    }

    /// Compiles `document` as `terms` have it.
    ///
    /// @throws BadPolicyException with everything that is wrong
    public static CompiledPolicy compile(PolicyDocument document, Terms terms) throws BadPolicyException {
        var problems = new Problems(document.origins());
        var compiled = new CompiledPolicy(document, terms, problems);
        problems.throwIfAny();
        return compiled;
    }

    /// {@inheritDoc} A denial wins over a question, a question over an allowance.
    @Override
    public Decision judge(Action action) {
        var decision = byRules(action);
        if (decision instanceof Decision.Deny) {
            return decision;
        }
        var question = approvals.questionOrNull(action);
        return question == null ? decision : question;
    }

    /// The rules that an action meets here: those that allow or deny it, and the one that asks.
    public List<RuleId> rulesFor(Action action) {
        var met = new ArrayList<>(byRules(action).because());
        var question = approvals.questionOrNull(action);
        if (question != null) {
            met.addAll(question.because());
        }
        return met;
    }

    /// The question that the document wants answered before `action`, whoever allows it.
    public Optional<Decision.Ask> question(Action action) {
        return Optional.ofNullable(approvals.questionOrNull(action));
    }

    /// What the document says may be granted; empty where it has no opinion.
    public Optional<GrantBounds> grantBounds() {
        return grantBounds;
    }

    private Decision byRules(Action action) {
        return switch (action) {
            case Action.HttpRequest(String method, HostName host, int port, String path) ->
                net.request(host, port, method, path);
            case Action.NetConnect(HostName host, int port) -> net.connection(host, port);
            case Action.DnsLookup(HostName host) -> net.lookup(host);
            case Action.SecretUse(String secret, HostName host) -> secrets.use(secret, host);
            case Action.FsRead(GuestPath path) -> fs.read(path);
            case Action.FsWrite(GuestPath path) -> fs.write(path);
            case Action.ProcExec start -> exec.judge(start);
            case Action.NetPublish(int port) -> publication(port);
            case Action.McpCall(String server, String tool) -> mcp.judge(server, tool);
            case Action.RunControl _ -> terms.silence() == Terms.Silence.ABSTAINS ? SILENT : UNKNOWN;
        };
    }

    private Decision publication(int port) {
        var ports = document.net().flatMap(NetSection::publish);
        if (ports.isEmpty() && terms.silence() == Terms.Silence.ABSTAINS) {
            return SILENT;
        }
        int at = ports.orElse(List.of()).indexOf(port);
        return at < 0
                ? new Decision.Deny(
                        ports.isEmpty() ? Rules.DEFAULT : Rules.PUBLISH,
                        DenyCode.NO_RULE,
                        "net.publish does not name the port " + port)
                : new Decision.Allow(Rules.at("net.publish", at));
    }

    /// Does the document say anything about this kind of action? In a stack of layers somebody must.
    public boolean speaksOf(Action action) {
        return switch (action) {
            case Action.HttpRequest _, Action.NetConnect _, Action.DnsLookup _ -> Entries.speaksOf(document.net());
            case Action.SecretUse _ -> document.credentials().isPresent();
            case Action.FsRead _, Action.FsWrite _ ->
                document.fs().flatMap(FsSection::mounts).isPresent();
            case Action.ProcExec _ ->
                document.exec().flatMap(ExecSection::allowlist).isPresent();
            case Action.NetPublish _ ->
                document.net().flatMap(NetSection::publish).isPresent();
            case Action.McpCall _ -> speaksOfTools();
            case Action.RunControl _ -> false;
        };
    }

    /// What [#judge] answers, with the rules, where they stand, and what would change the answer.
    public Explanation explain(Action action) {
        return Explanation.of(document, action, judge(action));
    }

    /// The rule of the document that lets connections to this host and port through.
    public Optional<NamedHostRule> hostRule(HostName host, int port) {
        return net.entryFor(host, port).map(entry -> new NamedHostRule(entry.id(), entry.rule()));
    }

    /// The entry of `mcp.tools` that settles a call.
    public Optional<McpRules.Named> toolRule(String server, String tool) {
        return mcp.entryFor(server, tool);
    }

    /// The hosts that the document's entries of this name are about, aliases put in.
    public List<HostPattern> secretHosts(String secret) {
        return secrets.hosts(secret);
    }

    /// What an allowed use of a destination counts against: the section's budget and that of the rule which lets it
    /// through, where they bound something.
    public List<NamedBudget> budgets(Action action) {
        var found = new ArrayList<NamedBudget>();
        document.net()
                .map(NetSection::budget)
                .filter(budget -> !budget.isUnlimited())
                .ifPresent(budget -> found.add(new NamedBudget(Rules.NET_BUDGET, Optional.empty(), budget)));
        net.entryLetting(action)
                .filter(entry -> !entry.rule().budget().isUnlimited())
                .ifPresent(entry -> found.add(new NamedBudget(
                        new RuleId(entry.id() + ".budget"),
                        Optional.of(entry.rule()),
                        entry.rule().budget())));
        return found;
    }

    /// A budget with its name.
    ///
    /// @param id e.g. `net.hosts[2].budget`
    /// @param rule whose it is; empty for that of everything together
    public record NamedBudget(RuleId id, Optional<HostRule> rule, Budget budget) {}

    /// A rule with its name.
    public record NamedHostRule(RuleId id, HostRule rule) {
        /// Is it about a host that this machine's configuration names, not the policy?
        public boolean isOfRegistry() {
            return id.value().startsWith("net.registries[");
        }
    }

    /// The host that is dialled for `host`: for `NAME.internal` the one that the alias `NAME` stands for, otherwise
    /// itself.
    public HostName upstream(HostName host) {
        return aliases.upstream(host);
    }

    /// The entries of `net.hosts` that look as if they narrowed a wider one and do not, each one sentence.
    public List<String> overlaps() {
        return NetDiff.overlaps(net.entries());
    }

    List<NetRules.Entry> netEntries() {
        return net.entries();
    }

    boolean letsUnlistedThrough() {
        return net.letsUnlistedThrough();
    }

    public PolicyDocument document() {
        return document;
    }
}
