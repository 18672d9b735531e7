package dev.cagewright.cli.run;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.supervisor.session.RuntimeSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A runtime that starts while the run is still being decided, on a thread of its own: nothing of the policy and
/// nothing of the program is in it, and where the answer is no it is closed again. Whoever begins it closes it.
final class CageAhead implements RuntimeSource, AutoCloseable {
    private final RuntimeSource later;
    private Optional<FutureTask<Runtime>> first;

    private CageAhead(Optional<FutureTask<Runtime>> first, RuntimeSource later) {
        this.first = first;
        this.later = later;
    }

    /// Starts nothing before it is asked for.
    static CageAhead none(RuntimeSource source) {
        return new CageAhead(Optional.empty(), source);
    }

    /// @param first begins now, and is what the first [#start] gives
    /// @param later what every other gives
    static CageAhead begin(RuntimeSource first, RuntimeSource later) {
        var task = new FutureTask<>(first::start);
        Thread.ofPlatform().daemon().name("cage-ahead").start(task);
        return new CageAhead(Optional.of(task), later);
    }

    @Override
    public Runtime start() throws ConfinementException {
        var ahead = take();
        return ahead.isPresent() ? result(ahead.get()) : later.start();
    }

    private synchronized Optional<FutureTask<Runtime>> take() {
        var taken = first;
        first = Optional.empty();
        return taken;
    }

    private static Runtime result(FutureTask<Runtime> task) throws ConfinementException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw refusal(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static ConfinementException refusal(ExecutionException e) {
        if (e.getCause() instanceof ConfinementException refused) {
            return refused;
        }
        throw new IllegalStateException(e.getCause());
    }

    /// Closes what nobody took.
    @Override
    public void close() {
        var left = take();
        if (left.isPresent()) {
            try {
                result(left.get()).close();
            } catch (ConfinementException _) {
                // It never came to be, and nobody asked for it.
            }
        }
    }
}
