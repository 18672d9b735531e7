package dev.cagewright.bench.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An origin, and for each count of secrets a cage that was lent so many, all bound to that origin; the first stands in
/// every request. All of it ends when closed.
final class SecretCages implements AutoCloseable {
    private static final String IN_CAGE = "/bench";
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private final Path folder;
    private final Path home = Path.of(System.getProperty("bench.home")).toAbsolutePath();
    private final SecureRandom random = new SecureRandom();
    private final Deque<Started> running = new ArrayDeque<>();
    private final List<Between> ways = new ArrayList<>();

    private SecretCages(Path folder) {
        this.folder = folder;
    }

    static SecretCages open(Path folder, List<Integer> counts) throws IOException, InterruptedException {
        var cages = new SecretCages(folder.toRealPath());
        try {
            cages.start(counts);
            return cages;
        } catch (IOException | RuntimeException e) {
            cages.close();
            throw e;
        }
    }

    List<Between> ways() {
        return List.copyOf(ways);
    }

    private void start(List<Integer> counts) throws IOException, InterruptedException {
        var papers = Papers.write(folder, Files.createDirectories(folder.resolve("open")));
        var origin = start(
                "origin",
                Rig.java(
                        "OriginServer",
                        home + "/bench/target",
                        papers.certificate().toString(),
                        papers.key().toString()),
                folder.resolve("state"));
        int port = Integer.parseInt(origin.line().split(" ", -1)[0]);
        for (int count : counts) {
            cage(count, papers, port);
        }
    }

    private void cage(int count, Papers papers, int port) throws IOException, InterruptedException {
        var state = folder.resolve("state-" + count);
        if (count > 0) {
            store(count, state);
        }
        var policy = Files.writeString(folder.resolve("policy-" + count + ".yaml"), """
                tool: bench
                fs:
                  mounts:
                    - {path: /workspace, mode: rw}
                    - {path: %1$s/lib, mode: ro, source: %2$s/bench/target/lib}
                    - {path: %1$s/classes, mode: ro, source: %2$s/bench/target/classes}
                net:
                  hosts:
                    - {host: origin.test, ports: [%3$d], addresses: [127.0.0.1], upstream_ca: %4$s}
                credentials: [%5$s]
                resources: {timeout: 1h, memory: 2GiB}
                """.formatted(
                        IN_CAGE, home, port, papers.roots(), entries(count)));
        var words =
                new ArrayList<>(List.of(home + "/cagewright", "run", "--quiet", "--policy", policy.toString(), "--"));
        words.addAll(Rig.java("Load", IN_CAGE));
        var caged = start("cage-" + count, words, state);
        var order =
                new Order(Papers.NAME, Papers.NAME, port, 0, Order.TRUSTED, "/1k", Order.Style.KEEPS, 1, Duration.ZERO);
        ways.add(new Between("" + count, caged, order, Optional.of(caged), Started.Family.ALONE));
    }

    private static String entries(int count) {
        var entries = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            entries.add("{name: KEY_" + i + (i == 0 ? ", env: " + Volley.KEY : "") + ", use_with: [origin.test]}");
        }
        return String.join(", ", entries);
    }

    private void store(int count, Path state) throws IOException, InterruptedException {
        var lines = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            lines.add("KEY_" + i + "=sk-ant-api03-" + letters());
        }
        var file = Files.write(folder.resolve("keys-" + count + ".env"), lines);
        var builder = new ProcessBuilder(home + "/cagewright", "secret", "import", file.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve("import.log").toFile());
        builder.environment().putAll(environment(state));
        if (builder.start().waitFor() != 0) {
            throw new IOException("secret import did not end well");
        }
    }

    private String letters() {
        var text = new StringBuilder();
        for (int i = 0; i < 80; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private Map<String, String> environment(Path state) {
        return Map.of(
                "XDG_STATE_HOME",
                state.toString(),
                "XDG_CONFIG_HOME",
                folder.resolve("config").toString());
    }

    private Started start(String name, List<String> words, Path state) throws IOException {
        var workspace = Files.createDirectories(folder.resolve("workspace-" + name));
        var started = Started.of(words, workspace, folder.resolve(name + ".log"), environment(state));
        running.push(started);
        return started;
    }

    @Override
    public void close() {
        running.forEach(Started::close);
        running.clear();
    }

    /// The same, and there is no folder.
    void remove() throws IOException {
        close();
        try (var all = Files.walk(folder)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
