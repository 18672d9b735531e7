package dev.cagewright.mcp.guest;

import dev.cagewright.mcp.offer.Caller;
import java.util.OptionalDouble;

/// Whoever asks on nobody's behalf: hears nothing, answers nothing, and takes nothing back.
public final class Silent implements Caller {
    public static final Caller CALLER = new Silent();

    private Silent() {}

    @Override
    public void whenCancelled(Runnable action) {}

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void progress(double done, OptionalDouble total, String what) {}

    @Override
    public void log(String level, String logger, String line) {}
}
