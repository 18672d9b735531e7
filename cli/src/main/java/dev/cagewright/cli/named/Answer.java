package dev.cagewright.cli.named;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.sandbox.terminal.Terminal;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.Locale;

/// A question to the person at the terminal that a yes or a no answers. Where there is none, the answer is no.
final class Answer {
    private static final int LONGEST = 64;

    private Answer() {}

    /// What an empty line means.
    enum Silence {
        YES,
        NO
    }

    /// Is there somebody to be asked?
    static boolean canBeAsked() {
        return Terminal.at(0).isPresent() && Terminal.at(2).isPresent();
    }

    static boolean yes(Console console, String question, Silence silence) throws IOException {
        if (!canBeAsked()) {
            return false;
        }
        console.ask(question);
        var word = line().strip().toLowerCase(Locale.ROOT);
        return switch (word) {
            case "y", "yes" -> true;
            case "" -> silence == Silence.YES;
            default -> false;
        };
    }

    /// Read byte for byte: what is typed ahead is somebody else's. The end of input is a no.
    private static String line() throws IOException {
        @SuppressWarnings("resource") // it is the process's own
        var in = new FileInputStream(FileDescriptor.in);
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return "no";
            }
            if (line.length() < LONGEST) {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
