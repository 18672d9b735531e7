package dev.cagewright.cli.screen;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// The way of a program's output to the person's terminal, unchanged. In between, outside of the program's own
/// sequences, a title may be set; a program that sets one itself keeps it. Safe for all threads; does not close what it
/// writes to.
public final class ScreenStream extends OutputStream {
    /// The terminal keeps its title and brings it back: `XTWINOPS` 22 and 23 of the xterm control sequences.
    private static final String KEEP_TITLE = "\033[22;0t";

    private static final String OLD_TITLE = "\033[23;0t";

    private final OutputStream terminal;
    private final ScreenModes modes = new ScreenModes();
    private String wanted = "";
    private String shown = "";
    private boolean isKept;

    public ScreenStream(OutputStream terminal) {
        this.terminal = terminal;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        terminal.write(bytes, offset, length);
        for (int i = offset; i < offset + length; i++) {
            modes.take(Byte.toUnsignedInt(bytes[i]));
        }
        showTitle();
    }

    @Override
    public synchronized void flush() throws IOException {
        terminal.flush();
    }

    /// From now on the terminal has this title, as soon as the program is between two sequences.
    ///
    /// @param text printable
    public synchronized void title(String text) throws IOException {
        wanted = text;
        showTitle();
    }

    private void showTitle() throws IOException {
        if (wanted.equals(shown) || modes.hasTitle() || !modes.isBetween()) {
            return;
        }
        shown = wanted;
        var keep = isKept ? "" : KEEP_TITLE;
        isKept = true;
        terminal.write((keep + "\033]2;" + shown + "\033\\").getBytes(StandardCharsets.UTF_8));
        terminal.flush();
    }

    /// The title from before is back, until [#title] is called again.
    public synchronized void oldTitle() throws IOException {
        if (isKept && modes.isBetween()) {
            isKept = false;
            shown = "";
            wanted = "";
            terminal.write(OLD_TITLE.getBytes(StandardCharsets.US_ASCII));
            terminal.flush();
        }
    }

    /// Undoes what a program left that could not do it itself.
    public synchronized void calm() throws IOException {
        terminal.write(modes.undo());
        terminal.flush();
        oldTitle();
    }

    /// Does the program draw on a screen of its own?
    public synchronized boolean isFullScreen() {
        return modes.isFullScreen();
    }
}
