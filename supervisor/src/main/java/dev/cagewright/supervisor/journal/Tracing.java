package dev.cagewright.supervisor.journal;

import dev.cagewright.audit.log.Appended;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Remembers what a journal appended. Threads append side by side, so lines come in any order. Safe for all threads.
final class Tracing {
    private static final int HASH_BYTES = 32;

    /// Of the first lines, side by side: as objects they would take four times as much.
    private long[] seqs = new long[64];

    private byte[] hashes = new byte[seqs.length * HASH_BYTES];
    private int lines;
    private final List<JournalTrace.Denied> denials = new ArrayList<>();
    private Optional<Appended> last = Optional.empty();
    private long count;
    private long allowed;
    private long denied;
    private long lookUpsDenied;
    private final SortedMap<String, Long> secrets = new TreeMap<>();

    synchronized void appended(Appended line) {
        count++;
        if (lines < JournalTrace.MOST_LINES) {
            keep(line);
        }
        if (last.isEmpty() || last.get().seq() < line.seq()) {
            last = Optional.of(line);
        }
    }

    private void keep(Appended line) {
        if (lines == seqs.length) {
            int more = Math.min(2 * lines, JournalTrace.MOST_LINES);
            seqs = Arrays.copyOf(seqs, more);
            hashes = Arrays.copyOf(hashes, more * HASH_BYTES);
        }
        seqs[lines] = line.seq();
        System.arraycopy(HexFormat.of().parseHex(line.hash()), 0, hashes, lines * HASH_BYTES, HASH_BYTES);
        lines++;
    }

    private Appended line(int at) {
        int from = at * HASH_BYTES;
        return new Appended(seqs[at], HexFormat.of().formatHex(hashes, from, from + HASH_BYTES));
    }

    synchronized void lends(Collection<String> names) {
        names.forEach(name -> secrets.putIfAbsent(name, 0L));
    }

    synchronized void decided(DecisionId id, Action action, Decision.Verdict verdict) {
        switch (verdict) {
            case Decision.Allow _ -> {
                allowed++;
                if (action instanceof Action.SecretUse use) {
                    secrets.merge(use.secret(), 1L, Long::sum);
                }
            }
            case Decision.Deny deny -> {
                denied++;
                lookUpsDenied += action instanceof Action.DnsLookup ? 1 : 0;
                if (denials.size() < JournalTrace.MOST_DENIALS) {
                    var rules = deny.because().stream().map(RuleId::value).toList();
                    denials.add(new JournalTrace.Denied(id.value(), action.name(), rules, deny.detail()));
                }
            }
        }
    }

    /// Refusals but those of a mere look-up, which the refusal of what it was for follows.
    synchronized long denied() {
        return denied - lookUpsDenied;
    }

    synchronized JournalTrace trace() {
        var inOrder = IntStream.range(0, lines)
                .mapToObj(this::line)
                .sorted(Comparator.comparingLong(Appended::seq))
                .toList();
        return new JournalTrace(inOrder, count, last, allowed, denied, denials, secrets);
    }
}
