package dev.cagewright.cli.token;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.supervisor.token.TokenFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Gives a new token out, into a file of the person's or alone on the standard output, and says on the error stream
/// what it is.
record Handover(Console console, Optional<Path> out) {
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int RANDOM_LENGTH = 10;

    /// A name that nobody has: `prefix`, and 50 random bits.
    static String newName(String prefix, RandomGenerator source) {
        var name = new StringBuilder(prefix);
        for (int i = 0; i < RANDOM_LENGTH; i++) {
            name.append(ALPHABET.charAt(source.nextInt(ALPHABET.length())));
        }
        return name.toString();
    }

    /// @param text of the token; wiped
    void give(byte[] text, Link head) throws IOException {
        try {
            if (out.isPresent()) {
                TokenFiles.write(out.get().toAbsolutePath(), text);
            } else {
                console.out().write(text, 0, text.length);
                console.out().flush();
                if (console.isBroken()) {
                    throw new IOException("the token " + head.rev() + " could not be printed; nobody has it");
                }
            }
        } finally {
            Arrays.fill(text, (byte) 0);
        }
        console.say("token " + head.rev() + " until " + Instant.ofEpochSecond(head.expires())
                + out.map(file -> ": " + Visible.text(file.toString())).orElse(""));
        if (head.rights().spelt(Axis.ACTIONS).isEmpty()) {
            console.more("It grants nothing: it names no --actions.");
        }
    }
}
