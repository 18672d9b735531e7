package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.argv.ArgvReader;
import dev.cagewright.policy.argv.ExecAllowlist;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import java.util.List;
import java.util.Optional;

/// The policy of one cage as it holds: terms, and the words to explain its verdicts with.
public record PolicyInForce(CageTerms terms, Optional<List<String>> command, String name, String sha256) {
    public static PolicyInForce of(LoadedPolicy loaded, Isolation offered) {
        var document = loaded.document();
        var terms = new CageTerms(
                document.tool().map(Object::toString).orElse("cage"),
                List.of(exec(document)),
                document.minIsolation().orElse(Isolation.NAMESPACES),
                document.fs().flatMap(fs -> fs.mounts()).orElse(List.of()),
                document.fs().map(fs -> fs.waive()).orElse(List.of()),
                document.fs().map(fs -> fs.hide()).orElse(List.of()),
                document.exec().flatMap(exec -> exec.allowlist()),
                document.exec().flatMap(exec -> exec.env()).orElse(List.of()),
                limits(document.resources().orElse(Resources.UNSET)));
        return new PolicyInForce(terms, document.command(), loaded.name(), loaded.sha256());
    }

    private static Judge exec(PolicyDocument document) {
        var allowlist = document.exec().flatMap(exec -> exec.allowlist()).map(ExecAllowlist::new);
        return action -> {
            if (!(action instanceof Action.ProcExec exec)) {
                return new Decision.Deny(new RuleId("default:deny"), DenyCode.NO_RULE, "no rule");
            }
            var reading = ArgvReader.read(exec.argv());
            if (reading.code().isPresent()) {
                return new Decision.Deny(
                        new RuleId("deny:shell"),
                        DenyCode.SHELL,
                        reading.code().get().toString());
            }
            if (allowlist.isPresent()
                    && allowlist.get().firstMissing(reading.programs()).isPresent()) {
                return new Decision.Deny(new RuleId("exec.allowlist"), DenyCode.NO_RULE, "not listed");
            }
            return new Decision.Allow(new RuleId("exec.allowlist"));
        };
    }

    /// What is absent is the runtime's default.
    static Limits limits(Resources resources) {
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
                .memory()
                .map(size -> size.bytes())
                .map(limits::withMemoryBytes)
                .orElse(limits);
        limits =
                resources.disk().map(size -> size.bytes()).map(limits::withDisk).orElse(limits);
        return limits;
    }

    /// What is written down beside a verdict.
    public JsonObject reasons(Action action, Decision.Verdict verdict) {
        return switch (verdict) {
            case Decision.Allow _ -> JsonObject.EMPTY;
            case Decision.Deny deny -> report(action, deny).reasons();
        };
    }

    public DenialReport report(DeniedException denied) {
        return report(Optional.of(denied.id()), denied.action(), denied.denial());
    }

    public DenialReport report(Action action, Decision.Deny deny) {
        return report(Optional.empty(), action, deny);
    }

    private DenialReport report(Optional<DecisionId> id, Action action, Decision.Deny deny) {
        return new DenialReport(
                id,
                ActionJson.of(action).write(),
                deny.because().stream().map(RuleId::value).toList(),
                deny.code().name(),
                deny.detail(),
                Optional.empty(),
                List.of());
    }
}
