package dev.cagewright.egress.credential;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Warrant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// The uses of secrets by one request, judged together: their intents are on the disk with whatever else was handed to
/// the log at the time.
///
/// @param granted the warrants, also where another was denied
/// @param denied the first that was; absent if none was
public record Uses(List<Warrant> granted, Optional<DeniedException> denied) {
    /// Nothing is used.
    public static final Uses NONE = new Uses(List.of(), Optional.empty());

    public Uses {
        granted = List.copyOf(granted);
    }

    /// Has all of them judged, without waiting.
    ///
    /// @param waiting threads that may wait for a person
    /// @return completed on any thread
    public static CompletableFuture<Uses> judge(Gate gate, List<Action.SecretUse> uses, Executor waiting) {
        var all = CompletableFuture.completedFuture(NONE);
        for (var use : uses) {
            all = all.thenCombine(judge(gate, use, waiting), Uses::and);
        }
        return all;
    }

    private static CompletableFuture<Uses> judge(Gate gate, Action.SecretUse use, Executor waiting) {
        var judged = new CompletableFuture<Uses>();
        boolean isUnderWay = gate.pass(use, new Gate.Hearing() {
            @Override
            public void passed(Warrant warrant) {
                judged.complete(new Uses(List.of(warrant), Optional.empty()));
            }

            @Override
            public void denied(DeniedException denied) {
                judged.complete(new Uses(List.of(), Optional.of(denied)));
            }
        });
        if (!isUnderWay) {
            waiting.execute(() -> ask(gate, use, judged));
        }
        return judged;
    }

    private static void ask(Gate gate, Action.SecretUse use, CompletableFuture<Uses> judged) {
        try {
            judged.complete(new Uses(List.of(gate.pass(use)), Optional.empty()));
        } catch (DeniedException denied) {
            judged.complete(new Uses(List.of(), Optional.of(denied)));
        } catch (RuntimeException e) {
            judged.completeExceptionally(e);
        }
    }

    private Uses and(Uses other) {
        var both = new ArrayList<>(granted);
        both.addAll(other.granted);
        return new Uses(both, denied.or(other::denied));
    }
}
