package dev.cagewright.cli.terminal;

import dev.cagewright.sandbox.terminal.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/// Where the product's words go: results on standard output, everything else on standard error, in 80
/// columns, coloured only on a terminal and never with `NO_COLOR`.
public final class Console {
    /// The widest line that the product prints of its own accord.
    public static final int WIDTH = 80;

    private final PrintStream out;
    private final PrintStream err;
    private final Supplier<Palette> outPalette;
    private final Supplier<Palette> errPalette;
    private final Supplier<Lines> errLines;

    private Console(PrintStream out, PrintStream err, Looks looks) {
        this.out = out;
        this.err = err;
        this.outPalette = looks.outPalette;
        this.errPalette = looks.errPalette;
        this.errLines = looks.errLines;
    }

    /// Asked for when something is printed: the first question whether a descriptor is a terminal costs more than
    /// many a command.
    private record Looks(Supplier<Palette> outPalette, Supplier<Palette> errPalette, Supplier<Lines> errLines) {}

    /// This process's own streams.
    public static Console ofProcess(Map<String, String> environment) {
        return new Console(
                printing(FileDescriptor.out),
                printing(FileDescriptor.err),
                new Looks(
                        () -> Palette.forDescriptor(1, environment),
                        () -> Palette.forDescriptor(2, environment),
                        () -> Lines.forDescriptor(2)));
    }

    private static PrintStream printing(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /// Plain text into streams of the caller's, who closes them.
    public static Console into(PrintStream out, PrintStream err) {
        return new Console(out, err, new Looks(() -> Palette.PLAIN, () -> Palette.PLAIN, () -> Lines.WHOLE));
    }

    /// Results.
    public PrintStream out() {
        return out;
    }

    public Palette palette() {
        return outPalette.get();
    }

    public Palette errPalette() {
        return errPalette.get();
    }

    /// One sentence of a result, set in by two columns and broken at [#WIDTH].
    public void item(String sentence) {
        var head = "  ";
        for (String line : Wrapped.text(sentence, WIDTH - 4)) {
            out.println(head + line);
            head = "    ";
        }
    }

    /// One line about what the product does or refuses, on standard error.
    public void say(String line) {
        print("cagewright: " + line);
    }

    /// A continuation of what was said, on standard error.
    public void more(String line) {
        print("  " + line);
    }

    /// A line that somebody may take as it is, e.g. one of a patch, on standard error; never broken.
    public void asItIs(String line) {
        err.println(line);
    }

    /// A question, on standard error, whose answer is typed behind it.
    public void ask(String question) {
        err.print("cagewright: " + question);
        err.flush();
    }

    /// Rings the terminal's bell, which draws nothing.
    public void ring() {
        err.print('\007');
        err.flush();
    }

    /// Breaks lines for a person's eyes; a pipe gets each sentence on one line.
    private void print(String line) {
        if (line.length() <= WIDTH || errLines.get() == Lines.WHOLE) {
            err.println(line);
            return;
        }
        var lines = Wrapped.text(line, WIDTH - 2);
        err.println(lines.getFirst());
        lines.stream().skip(1).forEach(rest -> err.println("  " + rest));
    }

    /// Whether long lines are broken.
    private enum Lines {
        WHOLE,
        BROKEN;

        static Lines forDescriptor(int descriptor) {
            return Terminal.at(descriptor).isPresent() ? BROKEN : WHOLE;
        }
    }

    /// Did a write fail, e.g. because the reader of a pipe went away?
    public boolean isBroken() {
        return out.checkError();
    }

    /// Colours by meaning.
    public enum Palette {
        PLAIN("", "", "", ""),
        ANSI("\033[32m", "\033[31m", "\033[1m", "\033[0m");

        private final String good;
        private final String bad;
        private final String strong;
        private final String end;

        Palette(String good, String bad, String strong, String end) {
            this.good = good;
            this.bad = bad;
            this.strong = strong;
            this.end = end;
        }

        static Palette forDescriptor(int descriptor, Map<String, String> environment) {
            var quiet = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                    || environment.getOrDefault("TERM", "dumb").equals("dumb");
            return quiet || !Terminal.at(descriptor).isPresent() ? PLAIN : ANSI;
        }

        public String good(String text) {
            return good + text + end;
        }

        public String bad(String text) {
            return bad + text + end;
        }

        public String strong(String text) {
            return strong + text + end;
        }
    }
}
