package dev.cagewright.mcp.guest;

import dev.cagewright.mcp.offer.Caller;

/// Whoever asks on nobody's behalf, and takes nothing back.
public final class Silent implements Nobody {
    public static final Caller CALLER = new Silent();

    private Silent() {}

    @Override
    public void whenCancelled(Runnable action) {}

    @Override
    public boolean isCancelled() {
        return false;
    }
}
