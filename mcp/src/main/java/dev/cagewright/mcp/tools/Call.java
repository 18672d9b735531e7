package dev.cagewright.mcp.tools;

import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One call while it is under way: what waits in it for a person or for the network stops waiting when the client takes
/// it back. For the call's own thread; being taken back comes on others.
final class Call {
    private final Caller caller;
    private final ClientAsker asker;
    private @Nullable Thread waiting;
    private boolean isTakenBack;

    Call(Caller caller, ClientAsker asker) {
        this.caller = caller;
        this.asker = asker;
        caller.whenCancelled(this::takeBack);
    }

    Caller caller() {
        return caller;
    }

    /// Something that may wait.
    @FunctionalInterface
    interface Waiting<T> {
        T done() throws DeniedException, ConfinementException, IOException, InterruptedException;
    }

    /// Passes a gate: a question that comes of it goes to this call's client too.
    <T> T asking(Waiting<T> passing) throws DeniedException, ConfinementException, IOException, InterruptedException {
        return waiting(() -> {
            try (var _ = asker.with(caller)) {
                return passing.done();
            }
        });
    }

    /// Does something that is interrupted when the call is taken back.
    ///
    /// @throws InterruptedException if it was taken back before
    <T> T waiting(Waiting<T> doing) throws DeniedException, ConfinementException, IOException, InterruptedException {
        begin();
        try {
            return doing.done();
        } finally {
            end();
        }
    }

    private synchronized void begin() throws InterruptedException {
        if (isTakenBack) {
            throw new InterruptedException("the call was taken back");
        }
        waiting = Thread.currentThread();
    }

    /// An interrupt that came for what is over is for nothing else.
    private synchronized void end() {
        waiting = null;
        if (isTakenBack) {
            Thread.interrupted();
        }
    }

    @SuppressWarnings("Interruption") // the thread is the call's own, and the call is what is taken back
    private synchronized void takeBack() {
        isTakenBack = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }
}
