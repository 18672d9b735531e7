package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Stage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Using up the host: each has a limit that a little stays below and a lot runs into.
record LimitStories(Stage stage) {
    private static final int MEBIBYTE = 1 << 20;

    List<Probe> probes() {
        return List.of(forks(), memory(), descriptors(), filled("/tmp/fill"), filled("/dev/shm/fill"), flood());
    }

    private Command.Result limited(String limit, String... story) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of(stage.probe().toString(), "story"));
        words.addAll(List.of(story));
        var policy = Stage.WORKSPACE + "resources: {" + limit + ", timeout: 5m}\n";
        return stage.cage(policy).run(words.toArray(String[]::new));
    }

    /// The figure in a line such as `forks 61 EAGAIN`.
    private static int figure(Command.Result result, String word) {
        return result.out()
                .lines()
                .filter(line -> line.startsWith(word + " "))
                .map(line -> Integer.parseInt(line.split(" ", -1)[1]))
                .findFirst()
                .orElse(-1);
    }

    private Probe forks() {
        return new Probe(
                "fork-bomb",
                Invariant.I12,
                "fill the host with processes",
                new Twin("twenty processes below a limit of 64", () -> {
                    var result = limited("processes: 64", "orphans", "20");
                    return result.out().equals("zombies 0\n") ? held("works") : fell(result.toString());
                }),
                new Twin("fork until it fails", () -> {
                    var result = limited("processes: 64", "forks");
                    int forks = figure(result, "forks");
                    return forks > 20 && forks <= 64 ? held(result.out().strip()) : fell(result.toString());
                }));
    }

    private Probe memory() {
        return new Probe(
                "memory-hog",
                Invariant.I12,
                "use up the host's memory",
                new Twin("32 MiB below a limit of 128 MiB", () -> {
                    var result = limited("memory: 128MiB", "memory", "32");
                    return result.out().contains("unbounded") ? held("works") : fell(result.toString());
                }),
                new Twin("touch 1 GiB", () -> {
                    var result = limited("memory: 128MiB", "memory", "1024");
                    return result.out().contains("unbounded")
                            ? fell(result.toString())
                            : held("exit " + result.exit() + " " + result.out().strip());
                }));
    }

    private Probe descriptors() {
        return new Probe(
                "descriptor-flood",
                Invariant.I12,
                "use up descriptors",
                new Twin("open a file", () -> {
                    var result = stage.cage().run("cat", "data.csv");
                    return result.exit() == 0 ? held("works") : fell(result.toString());
                }),
                new Twin("dup until it fails", () -> {
                    var result = limited("processes: 64", "descriptors");
                    int count = figure(result, "descriptors");
                    return count > 100 && count <= 65_536 && result.out().contains("EMFILE")
                            ? held(result.out().strip())
                            : fell(result.toString());
                }));
    }

    private Probe filled(String file) {
        var place = file.substring(1, file.lastIndexOf('/')).replace('/', '-');
        return new Probe(
                "fill-" + place,
                Invariant.I12,
                "use up memory by files in " + file,
                new Twin("4 MiB below a limit of 16 MiB", () -> {
                    var result = limited("disk: 16MiB", "fill", file, "4");
                    return result.out().contains("filled 4 unbounded") ? held("works") : fell(result.toString());
                }),
                new Twin("256 MiB", () -> {
                    var result = limited("disk: 16MiB", "fill", file, "256");
                    int written = figure(result, "filled");
                    return written >= 0 && written <= 16 ? held(result.out().strip()) : fell(result.toString());
                }));
    }

    private Probe flood() {
        return new Probe(
                "B139-output-flood",
                Invariant.I12,
                "fill the caller's disk by output, or hang on a full pipe",
                new Twin("1 MiB below a limit of 4 MiB comes whole, with the exit code", () -> {
                    var result = limited("output: 4MiB", "flood", "1", "5");
                    return result.exit() == 5 && result.out().length() == MEBIBYTE
                            ? held("works")
                            : fell("exit " + result.exit() + ", " + result.out().length() + " bytes");
                }),
                new Twin("50 MiB to each stream", this::floods));
    }

    private Outcome floods() throws IOException, InterruptedException {
        var result = limited("output: 1MiB", "flood", "50", "5");
        int kept = result.out().length() + result.err().length();
        boolean isTold = result.err().contains("cut")
                || result.err().contains("truncated")
                || result.err().contains("output");
        return result.exit() == 5 && kept <= MEBIBYTE + 65_536 && isTold
                ? held("exit 5, " + kept + " bytes kept")
                : fell("exit " + result.exit() + ", " + kept + " bytes kept, told: " + isTold);
    }
}
