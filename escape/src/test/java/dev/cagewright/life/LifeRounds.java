package dev.cagewright.life;

import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.ResidentClient;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Many cages, started and stopped again and again, and a supervisor that is killed at any moment: what is there
/// afterwards has to be what was there before.
final class LifeRounds {
    /// Nobody else sleeps for so long.
    private final String mark;

    private final Folk folk;
    private final List<String> names;
    private final Random random;
    private final PrintStream out;

    LifeRounds(Folk folk, int cages, long seed, PrintStream out) throws IOException, PolicySyntaxException {
        this.folk = folk;
        this.random = new Random(seed);
        this.out = out;
        this.mark = Integer.toString(100_000 + new Random().nextInt(800_000));
        this.names = IntStream.range(0, cages).mapToObj(i -> "cage-" + i).toList();
        for (String name : names) {
            folk.make(name);
        }
    }

    /// Words: cages, cycles, kills; then a number that the order comes from, and what starts the product.
    public static void main(String[] words) throws IOException, PolicySyntaxException, InterruptedException {
        var root = Files.createTempDirectory("life-rounds-");
        var product = words.length > 4
                ? words[4]
                : Path.of("..", "cagewright").toRealPath().toString();
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        var rounds = new LifeRounds(
                Folk.in(root, List.of(product, "supervise")),
                Integer.parseInt(words[0]),
                Long.parseLong(words[3]),
                out);
        rounds.churn(Integer.parseInt(words[1]));
        rounds.kills(Integer.parseInt(words[2]));
        rounds.checkLog();
        out.println("all as before");
    }

    /// All are up; one after the other ends and begins anew.
    ///
    /// @param cycles how often
    void churn(int cycles) throws IOException, InterruptedException {
        var client = folk.supervisor();
        var supervisor = Folk.process(client);
        for (String name : names) {
            Folk.up(client, name);
        }
        for (String name : names) {
            client.stop(name);
        }
        Folk.await("an end", () -> supervisor.descendants().count() <= 1);
        var before = Census.of(supervisor);
        out.println("without cages: " + before);
        long start = System.nanoTime();
        for (String name : names) {
            Folk.up(client, name);
        }
        out.println(names.size() + " cages up in " + millis(start) + " ms: " + Census.of(supervisor));
        runs(client, names.getFirst());
        start = System.nanoTime();
        for (int i = 0; i < cycles; i++) {
            var name = names.get(random.nextInt(names.size()));
            client.stop(name);
            Folk.up(client, name);
            runs(client, name);
        }
        out.println(cycles + " cycles of stop, up and a program in " + millis(start) + " ms");
        Folk.require(client.state().cages().size() == names.size(), "all are up: " + client.state());
        for (String name : names) {
            client.stop(name);
        }
        settle(supervisor, before);
        client.end();
        supervisor.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static void runs(ResidentClient client, String name) throws IOException {
        int code = Folk.exec(client, name, "ls");
        Folk.require(code == 0, "ls in " + name + " ended with " + code);
    }

    /// What ends may take a moment to be gone.
    private void settle(ProcessHandle supervisor, Census before) throws IOException {
        Folk.await("the counts of before", () -> {
            try {
                return isNoMore(Census.of(supervisor), before);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        out.println("afterwards:    " + Census.of(supervisor));
    }

    private static boolean isNoMore(Census now, Census before) {
        return now.processes() <= before.processes()
                && now.descriptors() <= before.descriptors()
                && now.namespaces() <= before.namespaces()
                && now.mounts() <= before.mounts()
                && now.groups() <= before.groups();
    }

    private static long millis(long since) {
        return Duration.ofNanos(System.nanoTime() - since).toMillis();
    }

    /// The supervisor dies while cages come, go and run programs.
    ///
    /// @param kills how often
    void kills(int kills) throws IOException, InterruptedException {
        int mountsBefore = mounts();
        for (int i = 0; i < kills; i++) {
            var client = folk.supervisor();
            var supervisor = Folk.process(client);
            var over = new AtomicBoolean();
            var busy = names.stream()
                    .limit(4)
                    .map(name -> Thread.ofPlatform().start(() -> live(client, name, over)))
                    .toList();
            TimeUnit.MILLISECONDS.sleep(random.nextInt(1500));
            var below = supervisor.descendants().toList();
            supervisor.destroyForcibly();
            supervisor.onExit().orTimeout(60, TimeUnit.SECONDS).join();
            over.set(true);
            for (Thread one : busy) {
                one.join();
            }
            Folk.await("no process", () -> below.stream().noneMatch(ProcessHandle::isAlive) && !Folk.runs(mark));
        }
        var client = folk.supervisor();
        for (String name : names) {
            Folk.up(client, name);
            runs(client, name);
        }
        var supervisor = Folk.process(client);
        client.end();
        supervisor.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        Folk.await("no mount that was left behind", () -> mounts() <= mountsBefore);
        Folk.await("no program that lives on", () -> !Folk.runs(mark));
        out.println(kills + " kills, and every cage up again; nothing lived on");
    }

    private static int mounts() {
        try {
            return Files.readAllLines(Path.of("/proc/self/mountinfo")).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One cage's life, until its supervisor is gone.
    private void live(ResidentClient client, String name, AtomicBoolean over) {
        while (!over.get()) {
            try {
                Folk.up(client, name);
                try (var program = client.exec(Folk.order(name, "sleep", mark), Streams.Pipes.discarding())) {
                    program.started();
                    Folk.exec(client, name, "ls");
                    client.stop(name);
                }
            } catch (IOException _) {
                return; // killed meanwhile
            }
        }
    }

    /// No decision is without its outcome, and the chain is whole: opening the log checks its end, a session's settles
    /// it.
    void checkLog() throws IOException {
        var left = new ArrayList<String>();
        try (var log = AuditLog.open(folk.folders().auditLog(), InstantSource.system())) {
            left.addAll(log.interrupted());
        }
        Folk.require(left.isEmpty(), "decisions without an outcome: " + left);
        try (Stream<Path> all = Files.walk(folk.workspace())) {
            var paths = all.toList();
            Folk.require(paths.size() == 1, "left in the workspace: " + paths);
        }
    }
}
