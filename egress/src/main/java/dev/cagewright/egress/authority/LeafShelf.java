package dev.cagewright.egress.authority;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The leaves made so far, by subject; the one not used for longest goes when there are too many. A leaf is made once
/// however many connections ask for it at a time, and others are made meanwhile.
final class LeafShelf {
    private final Map<Subject, Slot> slots;

    LeafShelf(int bound) {
        slots = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Subject, Slot> eldest) {
                return size() > bound;
            }
        };
    }

    Leaf get(Subject subject, Instant now, Supplier<Leaf> mint) {
        Slot slot;
        synchronized (slots) {
            slot = slots.computeIfAbsent(subject, _ -> new Slot());
        }
        return slot.fresh(now, mint);
    }

    Optional<Leaf> ready(Subject subject, Instant now) {
        Slot slot;
        synchronized (slots) {
            slot = slots.get(subject);
        }
        return slot == null ? Optional.empty() : slot.ready(now);
    }

    int size() {
        synchronized (slots) {
            return slots.size();
        }
    }

    /// The place of one subject's leaf. The field is read without the lock, so that nobody waits for one being made.
    private static final class Slot {
        private volatile @Nullable Leaf leafOrNull;

        Optional<Leaf> ready(Instant now) {
            var leaf = leafOrNull;
            return leaf != null && leaf.isFreshAt(now) ? Optional.of(leaf) : Optional.empty();
        }

        synchronized Leaf fresh(Instant now, Supplier<Leaf> mint) {
            var ready = ready(now);
            if (ready.isPresent()) {
                return ready.get();
            }
            var leaf = mint.get();
            leafOrNull = leaf;
            return leaf;
        }
    }
}
