package dev.cagewright.cli.screen;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Keeps a terminal's title true while a program runs. It writes only when the text has changed. Safe for all threads.
public final class StatusTitle {
    private static final Duration PACE = Duration.ofMillis(500);

    private final ScreenStream screen;
    private final Supplier<String> text;
    private volatile boolean isShown;

    /// @param text printable; asked for twice a second
    public StatusTitle(ScreenStream screen, Supplier<String> text) {
        this.screen = screen;
        this.text = text;
    }

    /// The title is the status from now on.
    public synchronized void show() {
        if (!isShown) {
            isShown = true;
            Thread.ofVirtual().name("status-title").start(this::keepTrue);
        }
    }

    private void keepTrue() {
        try {
            while (isShown) {
                screen.title(text.get());
                LockSupport.parkNanos(PACE.toNanos());
            }
        } catch (IOException _) {
            isShown = false; // the terminal is gone
        }
    }

    /// The title is the one from before.
    public synchronized void hide() {
        isShown = false;
        try {
            screen.oldTitle();
        } catch (IOException _) {
            return; // the terminal is gone
        }
    }
}
