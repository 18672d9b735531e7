package dev.cagewright.audit.verify;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.ChainWalker.Freeze;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.seal.SealFile;
import dev.cagewright.audit.seal.SealState;
import dev.cagewright.audit.seal.SealWalker;
import dev.cagewright.audit.verify.Sealing.Proof;
import dev.cagewright.audit.verify.Sealing.Tail;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Holds a log to its seals, and its end to the seal state beside it. The state is read twice: what it knew before the
/// lines were read must be in them, and what it knows afterwards must not be older than they are.
final class SealCheck implements AutoCloseable {
    private final SealFile file;
    private final Proof proof;
    private final Found before;
    private final SealWalker walker;

    /// The state, or why there is none.
    private record Found(Optional<SealState> state, String missing) {
        static Found of(SealFile file) {
            try {
                return new Found(Optional.of(file.peek()), "");
            } catch (IOException e) {
                return new Found(Optional.empty(), String.valueOf(e.getMessage()));
            }
        }
    }

    SealCheck(Path log, Optional<SealKey> key) {
        this.file = SealFile.of(log);
        this.proof = key.isPresent() ? Proof.KEY : Proof.FORM;
        this.before = Found.of(file);
        this.walker =
                new SealWalker(key, before.state.map(SealState::endedEpoch).orElse(-1L));
    }

    void take(LogLine line, long offset) throws BrokenChainException {
        walker.take(line, offset);
    }

    /// What the seals say when all lines were taken.
    ///
    /// @param count how many lines there are
    /// @param anchored up to which line a verified checkpoint reaches
    Sealing judge(long count, long anchored, Freeze freeze) {
        var cut = cut();
        if (cut.isPresent()) {
            return sealing(new Tail.Cut(cut.get()));
        }
        if (proof == Proof.FORM) {
            return walker.opened() == 0 ? Sealing.NONE : sealing(new Tail.Unknown());
        }
        if (walker.opened() == 0) {
            var none = "no line is sealed: the log never was, its seals are gone, or the key belongs to another log";
            return new Sealing(Proof.NONE, 0, 0, new Tail.Unanchored(none));
        }
        return sealing(
                doubt(count, anchored, freeze).<Tail>map(Tail.Unanchored::new).orElseGet(Tail.Complete::new));
    }

    private Sealing sealing(Tail tail) {
        return new Sealing(walker.opened() == 0 ? Proof.NONE : proof, walker.sealed(), walker.opened(), tail);
    }

    private Optional<String> cut() {
        if (before.state.isEmpty()) {
            return Optional.empty();
        }
        var state = before.state.get();
        if (state.next() > walker.opened() && !(walker.opened() == 0 && state.isUnfinished())) {
            return Optional.of("the seal state has seen " + state.next() + " epochs begin, the log's lines only "
                    + walker.opened());
        }
        long step = walker.watchedEnd().orElse(-1);
        if (!state.isUnfinished() && state.endedStep() != step) {
            return Optional.of("the seal state has seen epoch " + state.endedEpoch() + " end with step "
                    + state.endedStep() + ", which the log's lines have not");
        }
        return Optional.empty();
    }

    private Optional<String> doubt(long count, long anchored, Freeze freeze) {
        if (freeze == Freeze.SEALED) {
            return Optional.empty();
        }
        if (walker.sealed() < count) {
            return Optional.of("no seal covers the lines behind line " + walker.sealed());
        }
        return unended().or(() -> over(anchored)).or(this::state);
    }

    private Optional<String> unended() {
        return walker.unended()
                .map(epoch ->
                        "epoch " + epoch.epoch() + " has no end: its writer still has the log open, was killed, or"
                                + " its lines behind line " + epoch.line() + " were cut");
    }

    private Optional<String> over(long anchored) {
        return walker.takenForOver()
                .filter(over -> over.line() > anchored)
                .map(over -> "epoch " + over.epoch() + " has no end: line " + over.line()
                        + " takes its writer for killed, and no checkpoint covers that line");
    }

    private Optional<String> state() {
        var after = Found.of(file);
        if (after.state.isEmpty()) {
            return Optional.of(after.missing);
        }
        try (var state = after.state.get()) {
            return walker.isFollowedBy(state) || state.next() > walker.opened()
                    ? Optional.empty()
                    : Optional.of("the seal state does not hold the key that follows the log's last epoch");
        }
    }

    @Override
    public void close() {
        before.state.ifPresent(SealState::close);
        walker.close();
    }
}
