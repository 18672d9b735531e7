package dev.cagewright.faults;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Every fault at every step of a run, in any number: what `escape/kill-rounds` starts.
final class Rounds {
    private static final int PROGRESS = 50;

    private Rounds() {}

    /// The steps of a run that nobody disturbs, in order.
    static List<Step> steps(Stopper stopper, Path root) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory(root, "pilot");
        var watched = Trial.in(stopper, folder).run();
        Round.delete(folder);
        if (watched.exit() != 0 || !watched.survivors().isEmpty()) {
            throw new IOException("the undisturbed run: " + watched);
        }
        return watched.steps();
    }

    /// Everybody who is there by then, at each step.
    static List<Round> kills(List<Step> steps) {
        var rounds = new ArrayList<Round>();
        for (Step step : steps) {
            step.victims().forEach(victim -> rounds.add(new Round(step.name(), new Fault.Kill(victim))));
        }
        return rounds;
    }

    /// Each error at each step of the supervisor's, once it has begun.
    static List<Round> failures(List<Step> steps) {
        var rounds = new ArrayList<Round>();
        for (Step step : steps) {
            if (step.name().matches("supervisor (mkdir|create|pwrite|fdatasync|fsync|rename|unlink|rmdir).*")) {
                for (Fault.Errno errno : Fault.Errno.values()) {
                    rounds.add(new Round(step.name(), new Fault.Failure(errno)));
                }
            }
        }
        return rounds;
    }

    /// What has come of them so far.
    private static final class Tally {
        private final long start = System.nanoTime();
        private int played;
        private int struck;
        private int bad;

        void add(Round.Result result) {
            played++;
            struck += result.isReached() ? 1 : 0;
            bad += result.findings().isEmpty() ? 0 : 1;
        }

        @Override
        public String toString() {
            var time = Duration.ofNanos(System.nanoTime() - start).toSeconds();
            return played + " rounds, " + struck + " struck, " + bad + " with findings, " + time + " s";
        }
    }

    /// One kind of round.
    @FunctionalInterface
    private interface Play {
        Round.Result play() throws IOException, InterruptedException;
    }

    /// Words: `kill`, `fail` or `apply`, how many rounds, and the seed of the order.
    public static void main(String[] words) throws IOException, InterruptedException {
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        var root = Files.createTempDirectory("cagewright-rounds");
        var cases = new ArrayList<>(cases(words[0], Stopper.compile(), root).entrySet());
        var random = new Random(Long.parseLong(words[2]));
        var tally = new Tally();
        out.println(cases.size() + " kinds of rounds, seed " + words[2]);
        for (int i = 0; i < Integer.parseInt(words[1]); i++) {
            if (i % cases.size() == 0) {
                Collections.shuffle(cases, random);
            }
            var round = cases.get(i % cases.size());
            var result = round.getValue().play();
            tally.add(result);
            result.findings().forEach(finding -> out.println(round.getKey() + ": " + finding));
            if (tally.played % PROGRESS == 0) {
                out.println(tally);
            }
        }
        Round.delete(root);
        out.println(tally);
        if (tally.bad > 0) {
            throw new IllegalStateException(tally.bad + " rounds with findings");
        }
    }

    private static Map<String, Play> cases(String word, Stopper stopper, Path root)
            throws IOException, InterruptedException {
        var cases = new LinkedHashMap<String, Play>();
        if (word.equals("apply")) {
            var rounds = ApplyRounds.in(stopper, root);
            rounds.steps().forEach(step -> cases.put("killed before: " + step.name(), () -> rounds.play(step)));
            return cases;
        }
        var steps = steps(stopper, root);
        for (Round round : word.equals("kill") ? kills(steps) : failures(steps)) {
            cases.put(round.toString(), () -> round.play(stopper, root));
        }
        return cases;
    }
}
