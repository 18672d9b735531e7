package dev.cagewright.audit.alone;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;

/// Verifies logs and proofs without the rest of the product. The exit codes are those of `docs/exit-codes.md`.
public final class Main {
    private static final int USAGE = 2;
    private static final int UNREADABLE = 125;

    private Main() {}

    public static void main(String... words) {
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.exit(run(out, err, words));
    }

    static int run(PrintStream out, PrintStream err, String... words) {
        try {
            return new Checking(out, Words.parse(words)).run();
        } catch (IllegalArgumentException e) {
            err.println("cagewright-audit: " + e.getMessage());
            err.println(Words.USAGE);
            return USAGE;
        } catch (NoSuchFileException e) {
            err.println("cagewright-audit: " + e.getFile() + ": no such file");
            return UNREADABLE;
        } catch (IOException e) {
            err.println("cagewright-audit: " + e.getMessage());
            return UNREADABLE;
        }
    }
}
