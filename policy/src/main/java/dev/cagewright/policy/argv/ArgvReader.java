package dev.cagewright.policy.argv;

import dev.cagewright.policy.action.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads argument lists. Pure, safe for all threads, linear in the size of the list.
public final class ArgvReader {
    /// How many programs one list may start; more is refused as code.
    private static final int MOST_PROGRAMS = 64;

    private static final Dialect UNKNOWN = _ -> Reading.PLAIN;
    private static final Map<String, Dialect> BY_NAME = all();

    private ArgvReader() {}

    /// Reads one argument list.
    ///
    /// @param argv not empty
    public static ArgvReading read(List<ByteString> argv) {
        var words = argv.stream().map(ByteString::latin1).toList();
        var programs = new ArrayList<ArgvReading.Started>();
        var waiting = new ArrayDeque<Command>();
        waiting.add(Command.of(words));
        while (!waiting.isEmpty()) {
            var command = waiting.poll();
            programs.add(new ArgvReading.Started(command.from(), command.program()));
            if (programs.size() > MOST_PROGRAMS) {
                return found(programs, command.from(), "more than " + MOST_PROGRAMS + " programs in one list");
            }
            switch (readOne(command)) {
                case Reading.Plain _ -> {}
                case Reading.Starts(var commands) -> waiting.addAll(commands);
                case Reading.Code(int at, String what) -> {
                    return found(programs, Math.min(at, words.size()), what);
                }
            }
        }
        return shellAnywhere(words)
                .map(code -> found(programs, code.at(), code.what()))
                .orElseGet(() -> new ArgvReading(programs, Optional.empty()));
    }

    private static ArgvReading found(List<ArgvReading.Started> programs, int at, String what) {
        var printable = ByteString.of(what).printable();
        return new ArgvReading(programs, Optional.of(new ArgvReading.CodeInArgv(at, printable)));
    }

    private static Reading readOne(Command command) {
        var dialect = dialectOf(command.program());
        return dialect.read(dialect.takesCode() ? command.atWorst() : command);
    }

    /// A shell with a command string or start-up file anywhere in the list, for wrappers that have no grammar.
    private static Optional<Reading.Code> shellAnywhere(List<String> words) {
        for (int i = 1; i + 1 < words.size(); i++) {
            var base = words.get(i).substring(words.get(i).lastIndexOf('/') + 1);
            if (Shell.NAMES.contains(base)) {
                var code = Shell.codeIn(words.get(i + 1), base);
                if (!code.isEmpty()) {
                    return Optional.of(new Reading.Code(i + 1, base + " takes " + code));
                }
            }
        }
        return Optional.empty();
    }

    private static Dialect dialectOf(ProgramName program) {
        var dialect = BY_NAME.get(program.base());
        if (dialect == null) {
            dialect = BY_NAME.get(program.stem());
        }
        if (dialect == null && isLoader(program.base())) {
            dialect = BY_NAME.get("ld.so");
        }
        return dialect == null ? UNKNOWN : dialect;
    }

    private static boolean isLoader(String base) {
        return base.startsWith("ld-linux")
                || base.startsWith("ld-musl")
                || base.matches("ld(-[0-9.]+|64)?\\.so(\\.[0-9]+)?");
    }

    private static Map<String, Dialect> all() {
        var all = new HashMap<String, Dialect>();
        var shell = new Shell();
        Shell.NAMES.forEach(name -> all.put(name, shell));
        all.putAll(Interpreters.byStem());
        all.putAll(Wrappers.byName());
        all.putAll(Tools.byName());
        return Map.copyOf(all);
    }
}
