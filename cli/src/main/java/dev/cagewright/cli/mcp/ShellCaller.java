package dev.cagewright.cli.mcp;

import dev.cagewright.mcp.offer.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// A person's shell as the client of one call: it hears no progress, and asks nobody.
final class ShellCaller implements Caller {
    private final List<Runnable> whenCancelled = new ArrayList<>();
    private boolean isCancelled;

    void cancel() {
        List<Runnable> all;
        synchronized (this) {
            isCancelled = true;
            all = List.copyOf(whenCancelled);
            whenCancelled.clear();
        }
        all.forEach(Runnable::run);
    }

    @Override
    public void whenCancelled(Runnable action) {
        synchronized (this) {
            if (!isCancelled) {
                whenCancelled.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public synchronized boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void progress(double done, OptionalDouble total, String what) {}

    @Override
    public void log(String level, String logger, String line) {}
}
