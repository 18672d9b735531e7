package dev.cagewright.escape;

import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Person;
import dev.cagewright.escape.stage.Programs;
import dev.cagewright.escape.stage.Stage;
import dev.cagewright.escape.stage.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The acts of the C program, each as a [Probe]: done once in one cage for everybody, and once outside every cage to
/// show that the denied one gets through where nothing stops it.
final class Acts {
    private static final String DENIED = "denied";
    private static final String ALLOWED = "allowed";

    private final List<Act> acts;
    private final Outside outside;
    private final Stage stage;
    private final Map<String, Trace> before = new HashMap<>();
    private final Map<String, Command.Result> results = new HashMap<>();

    /// One entry of the program's list.
    private record Act(Name name, String tries, List<String> twins, Mark mark) {
        static Act parse(String line) {
            var columns = line.split("\t", -1);
            var name = new Name(columns[0], Invariant.valueOf(columns[1]), columns[6]);
            var trace = columns[5].startsWith("?") ? columns[5].substring(1) : columns[5];
            var place = columns[5].startsWith("?") ? Place.TOLD : trace.equals("-") ? Place.NONE : Place.FIXED;
            return new Act(name, columns[2], List.of(columns[3], columns[4]), new Mark(place, trace));
        }

        String id() {
            return name.id();
        }

        boolean isTraced() {
            return mark.place() != Place.NONE;
        }
    }

    /// Where on the host an act would be seen.
    ///
    /// @param path below the workspace
    private record Mark(Place place, String path) {}

    private enum Place {
        NONE,
        /// Nothing may change there.
        FIXED,
        /// A change has at least to be told when the run is over.
        TOLD
    }

    /// @param group whose cage it needs: `free` where any program may start, `exec` where an allowlist holds
    private record Name(String id, Invariant invariant, String group) {}

    /// One line of the program's output.
    private record Line(String word, String detail) {
        @Override
        public String toString() {
            return (word + " " + detail).strip();
        }
    }

    /// What the denied acts did outside every cage, by id.
    record Outside(Map<String, String> words, boolean isRoot) {
        boolean gotThrough(String id) {
            return words.getOrDefault(id, "absent").startsWith("succeeded");
        }

        String word(String id) {
            return words.getOrDefault(id, "absent");
        }
    }

    Acts(Programs programs, Stage stage, Outside outside) throws IOException, InterruptedException {
        this.acts = list(programs);
        this.stage = stage;
        this.outside = outside;
    }

    private static List<Act> list(Programs programs) throws IOException, InterruptedException {
        return Command.output(List.of(programs.probe().toString(), "list"), Path.of("/"))
                .lines()
                .map(Act::parse)
                .toList();
    }

    /// Does every denied act on `stage` without a cage. Those that change the workspace get a copy of their own.
    static Outside outside(Programs programs, Stage stage) throws IOException, InterruptedException {
        var words = new HashMap<String, String>();
        var facts = stage.facts(stage.host().fact("host-pid-2"), "yes");
        stage.workspace().write("../logs/audit.jsonl", "{}\n");
        var shared = parse(leaky(programs, stage, facts, "free"));
        shared.putAll(parse(leaky(programs, stage, facts, "exec")));
        for (Act act : list(programs)) {
            var line = shared.getOrDefault(act.id() + " " + DENIED, new Line("absent", ""));
            words.put(act.id(), line.toString());
            if (act.isTraced()) {
                words.put(act.id(), inCopy(programs, stage, facts, act));
            }
        }
        return new Outside(words, Person.self() == 0);
    }

    private static String inCopy(Programs programs, Stage stage, List<String> facts, Act act)
            throws IOException, InterruptedException {
        var folder = stage.base().resolve("copies/" + act.id());
        var from = stage.workspace().root();
        Command.output(List.of("mkdir", "-p", folder.toString()), stage.base());
        Command.output(
                List.of("cp", "-a", from.toString(), folder.resolve("work").toString()), stage.base());
        var copy = folder.resolve("work");
        var trace = copy.resolve(act.mark().path());
        var before = Trace.of(trace);
        var changed = facts.stream()
                .map(fact -> fact.startsWith("workspace=") ? "workspace=" + copy : fact)
                .toList();
        var line = parse(leaky(programs, stage, changed, act.id())).get(act.id() + " " + DENIED);
        return Trace.of(trace).equals(before) ? "no trace; " + line : "succeeded with a trace";
    }

    private static String leaky(Programs programs, Stage stage, List<String> facts, String id)
            throws IOException, InterruptedException {
        var beside = stage.base().resolve("beside");
        var words = new ArrayList<>(List.of("sh", "-c", "exec 9<\"$1\" 8<\"$2\"; shift 2; exec \"$@\"", "sh"));
        words.addAll(List.of(beside.resolve("secret.txt").toString(), beside.toString()));
        words.addAll(List.of(programs.probe().toString(), "run", DENIED, id));
        words.addAll(facts);
        try (var command = Command.start(words, stage.workspace().root(), stage.environment())) {
            return command.await().out();
        }
    }

    private static Map<String, Line> parse(String output) {
        var lines = new HashMap<String, Line>();
        output.lines()
                .map(line -> line.split("\t", -1))
                .filter(columns -> columns.length == 4)
                .forEach(columns -> {
                    lines.put(columns[0] + " " + columns[1], new Line(columns[2], columns[3]));
                });
        return lines;
    }

    /// One probe for each act.
    List<Probe> probes() {
        return acts.stream()
                .map(act -> new Probe(
                        act.id(),
                        act.name().invariant(),
                        act.tries(),
                        new Twin(act.twins().getFirst(), () -> allowed(act)),
                        new Twin(act.twins().getLast(), () -> denied(act))))
                .toList();
    }

    String outsideWord(String id) {
        return outside.word(id);
    }

    private Line line(Act act, String twin) throws IOException, InterruptedException {
        var result = resultOf(act.name().group());
        var line = parse(result.out()).get(act.id() + " " + twin);
        if (line == null) {
            throw new AssertionError("no line for " + act.id() + " " + twin + "; the run: exit " + result.exit()
                    + ", err: " + result.err().strip());
        }
        return line;
    }

    /// All acts of a group in one cage, done when the first of them is asked for.
    private Command.Result resultOf(String group) throws IOException, InterruptedException {
        var known = results.get(group);
        if (known != null) {
            return known;
        }
        for (Act act : acts) {
            if (act.isTraced() && act.name().group().equals(group)) {
                before.put(act.id(), trace(act));
            }
        }
        var cage = group.equals("exec") ? stage.cage(allowlist()) : stage.cage();
        var result = cage.probe("both", group);
        results.put(group, result);
        return result;
    }

    private String allowlist() {
        return Stage.WORKSPACE + "exec:\n  allowlist: ['%s', 'true', find]\n".formatted(stage.probe());
    }

    private Trace trace(Act act) throws IOException {
        return Trace.of(stage.workspace().resolve(act.mark().path()));
    }

    private boolean isTold(Act act) throws IOException, InterruptedException {
        return act.mark().place() == Place.TOLD
                && resultOf(act.name().group()).err().contains(act.mark().path());
    }

    private Outcome allowed(Act act) throws IOException, InterruptedException {
        var line = line(act, ALLOWED);
        return switch (line.word()) {
            case "succeeded" -> Outcome.held("works");
            case "cannot" -> Outcome.skipped(line.detail());
            default -> Outcome.fell("does not work in the cage: " + line);
        };
    }

    private Outcome denied(Act act) throws IOException, InterruptedException {
        var line = line(act, DENIED);
        if (act.isTraced()) {
            var now = trace(act);
            var then = Objects.requireNonNull(before.get(act.id()), act.id());
            if (!now.equals(then) && isTold(act)) {
                return Outcome.held("told when the run was over");
            }
            if (!now.equals(then)) {
                return Outcome.fell("left a trace on the host (" + now.comparedTo(then) + "); in the cage: " + line);
            }
        } else if (line.word().equals("succeeded")) {
            return Outcome.fell("got through");
        }
        if (line.word().equals("hung")) {
            return Outcome.fell("hung instead of an answer");
        }
        if (line.word().equals("cannot")) {
            return Outcome.skipped(line.detail());
        }
        if (!outside.gotThrough(act.id()) && outside.isRoot()) {
            return Outcome.skipped("outside every cage this host answers: " + outside.word(act.id()));
        }
        return Outcome.held(line.toString());
    }
}
