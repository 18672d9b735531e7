package dev.cagewright.supervisor.net;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.supervisor.grant.GrantedPolicy;
import dev.cagewright.supervisor.grant.LiveGrants;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of a policy since its run began. It can only take away: what the policy did not allow at the start
/// stays forbidden, whatever its files say later. Only the network is judged by it. Safe for all threads.
public final class Tightening {
    private final LiveGrants grants;

    /// Null until a file was changed.
    private volatile @Nullable Judge later;

    /// Nothing has come yet, and nothing is granted.
    public Tightening() {
        this(new LiveGrants());
    }

    /// Nothing has come yet.
    ///
    /// @param grants fill the silence of what comes later, too
    public Tightening(LiveGrants grants) {
        this.grants = grants;
    }

    /// The same judges, the first of which is the policy of the start, with what came later.
    public List<Judge> over(List<Judge> judges) {
        var all = new ArrayList<>(judges);
        var first = judges.getFirst();
        all.set(0, action -> judge(first, action));
        return all;
    }

    private Decision judge(Judge first, Action action) {
        var decision = first.judge(action);
        var policy = later;
        if (policy == null || decision instanceof Decision.Deny || !isOfNetwork(action)) {
            return decision;
        }
        return switch (policy.judge(action)) {
            case Decision.Allow _ -> decision;
            case Decision.Ask ask -> ask;
            case Decision.Deny(var because, var code, var detail) ->
                new Decision.Deny(because, code, "the policy was changed meanwhile: " + detail);
        };
    }

    private static boolean isOfNetwork(Action action) {
        return switch (action) {
            case Action.HttpRequest _, Action.NetConnect _, Action.DnsLookup _ -> true;
            case Action.ProcExec _,
                    Action.FsRead _,
                    Action.FsWrite _,
                    Action.SecretUse _,
                    Action.McpCall _,
                    Action.RunControl _,
                    Action.NetPublish _ -> false;
        };
    }

    void became(EffectivePolicy policy) {
        later = new GrantedPolicy(policy, policy, grants);
    }
}
