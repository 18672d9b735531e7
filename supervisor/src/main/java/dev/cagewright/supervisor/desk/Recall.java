package dev.cagewright.supervisor.desk;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.Journal;
import dev.cagewright.supervisor.journal.ActionText;
import java.io.IOException;
import java.util.Optional;

/// A journal that remembers the newest decisions it was told of: the last [#DENIALS] denials, and the last
/// [#ALLOWANCES] others, so that many of one kind never hide the other. Everything else is `journal`'s. Safe for all
/// threads.
public final class Recall implements Journal {
    /// So many denials are remembered.
    static final int DENIALS = 1_024;

    /// So many allowed actions are remembered.
    static final int ALLOWANCES = 1_024;

    /// What is longer, in characters, is remembered by its beginning.
    static final int LONGEST = 1_024;

    private final Journal journal;
    private final Ring denials = new Ring(DENIALS);
    private final Ring allowances = new Ring(ALLOWANCES);

    public Recall(Journal journal) {
        this.journal = journal;
    }

    /// A decision as it is remembered.
    ///
    /// @param action absent if it was too long to be kept
    /// @param what the action in one line, or its beginning
    public record Past(DecisionId id, Optional<Action> action, String what, Decision.Verdict verdict) {}

    /// Only what is small is kept as it is; text is made of it when somebody asks.
    private record Kept(DecisionId id, Optional<Action> action, String what, Decision.Verdict verdict) {
        static Kept of(DecisionId id, Action action, Decision.Verdict verdict) {
            return isSmall(action)
                    ? new Kept(id, Optional.of(action), "", verdict)
                    : new Kept(id, Optional.empty(), beginning(ActionText.of(action)), verdict);
        }

        private static boolean isSmall(Action action) {
            return switch (action) {
                case Action.ProcExec exec ->
                    exec.argv().stream().mapToLong(ByteString::size).sum() <= LONGEST
                            && exec.argv().size() <= LONGEST / 8;
                case Action.HttpRequest request -> request.path().length() <= LONGEST;
                case Action.FsRead read -> read.path().value().length() <= LONGEST;
                case Action.FsWrite write -> write.path().value().length() <= LONGEST;
                case Action.NetConnect _,
                        Action.DnsLookup _,
                        Action.SecretUse _,
                        Action.McpCall _,
                        Action.RunControl _,
                        Action.NetPublish _ -> true;
            };
        }

        private static String beginning(String text) {
            return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        }

        Past past() {
            return new Past(
                    id, action, action.map(ActionText::of).map(Kept::beginning).orElse(what), verdict);
        }
    }

    private static final class Ring {
        private final Kept[] kept;
        private int next;

        Ring(int size) {
            this.kept = new Kept[size];
        }

        synchronized void put(Kept decision) {
            kept[next] = decision;
            next = (next + 1) % kept.length;
        }

        synchronized Optional<Kept> find(DecisionId id) {
            for (Kept decision : kept) {
                if (decision != null && decision.id().equals(id)) {
                    return Optional.of(decision);
                }
            }
            return Optional.empty();
        }
    }

    /// The decision of that name, unless it is another session's or forgotten.
    public Optional<Past> find(DecisionId id) {
        return denials.find(id).or(() -> allowances.find(id)).map(Kept::past);
    }

    private void remember(DecisionId id, Action action, Decision.Verdict verdict) {
        (verdict instanceof Decision.Deny ? denials : allowances).put(Kept.of(id, action, verdict));
    }

    @Override
    public DecisionId nextId() {
        return journal.nextId();
    }

    @Override
    public long intent(DecisionId id, Action action, Decision.Verdict verdict) throws IOException {
        long sequence = journal.intent(id, action, verdict);
        remember(id, action, verdict);
        return sequence;
    }

    @Override
    public void intent(DecisionId id, Action action, Decision.Verdict verdict, Recorded recorded) {
        journal.intent(id, action, verdict, new Recorded() {
            @Override
            public void durable(long sequence) {
                remember(id, action, verdict);
                recorded.durable(sequence);
            }

            @Override
            public void failed(IOException why) {
                recorded.failed(why);
            }
        });
    }
}
