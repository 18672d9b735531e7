package dev.cagewright.supervisor.budget;

import dev.cagewright.egress.Budgets;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// Spends what there is, in many threads, and says so after each: `r` for a request, `b` for a byte. Runs in a
/// process of its own, to be killed.
final class Spender {
    static final int THREADS = 8;

    private Spender() {}

    static Budgets budgets(String home, Meters meters) throws Exception {
        var policy = "net: {hosts: [{host: a.test, budget: {requests: 2000/day, sent: 2000B/day}}]}";
        var document = PolicyOf.text(StateFolders.of(Map.of("HOME", home)), policy);
        var layers = List.of(new Layer(Layer.Rank.PROJECT, document));
        return PolicyBudgets.of(EffectivePolicy.of(layers, Map.of()), Purse.of("spender of " + home), meters);
    }

    static Meters meters(String home) throws IOException {
        return new Meters(StateFolders.of(Map.of("HOME", home)), InstantSource.fixed(Instant.EPOCH));
    }

    static final Action GET = new Action.HttpRequest("GET", new HostName("a.test"), 443, "/");

    public static void main(String[] words) throws Exception {
        try (var out = new FileOutputStream(FileDescriptor.out);
                var meters = meters(words[0]);
                var threads = Executors.newFixedThreadPool(THREADS)) {
            var budgets = budgets(words[0], meters);
            for (int i = 0; i < THREADS; i++) {
                boolean isRequests = i % 2 == 0;
                var _ = threads.submit(() -> {
                    while (isRequests
                            ? budgets.of(GET).reserve(new DecisionId("s-1")).isEmpty()
                            : budgets.of(GET).take(Budgets.Way.SENT, 1).isEmpty()) {
                        out.write(isRequests ? 'r' : 'b');
                        LockSupport.parkNanos(1_000_000);
                    }
                    return 0;
                });
            }
        }
    }
}
