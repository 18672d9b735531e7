package dev.cagewright.bench.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Everything that is measured, started: an origin, a client outside, peers, and a cage with a client in it. All of it
/// ends
/// when closed.
final class Rig implements AutoCloseable {
    private static final String IN_CAGE = "/bench";

    private final Path folder;
    private final Path home;
    private final Deque<Started> running = new ArrayDeque<>();
    private final List<Between> ways = new ArrayList<>();

    private Rig(Path folder) {
        this.folder = folder;
        this.home = Path.of(System.getProperty("bench.home")).toAbsolutePath();
    }

    static Rig build(Path folder) throws IOException, InterruptedException {
        var rig = new Rig(folder.toRealPath());
        try {
            rig.start();
            return rig;
        } catch (IOException | RuntimeException e) {
            rig.close();
            throw e;
        }
    }

    List<Between> ways() {
        return List.copyOf(ways);
    }

    private void start() throws IOException, InterruptedException {
        var open = Files.createDirectories(folder.resolve("open"));
        var papers = Papers.write(folder, open);
        var origin = start(
                "origin",
                java(
                        "OriginServer",
                        home + "/bench/target",
                        papers.certificate().toString(),
                        papers.key().toString()));
        var ports = origin.line().split(" ", -1);
        int opened = Integer.parseInt(ports[0]);
        int unopened = Integer.parseInt(ports[1]);
        var outside = start("client", java("Load", home + "/bench/target"));
        var direct = order("127.0.0.1", opened, 0, papers.roots());
        ways.add(new Between("direct", outside, direct, Optional.empty(), Started.Family.ALONE));
        for (var peer : new Peers(folder, papers, opened).start()) {
            running.push(peer.process());
            var order = peer.way() == Peers.Way.ASKED
                    ? order("127.0.0.1", opened, peer.port(), peer.roots())
                    : order("127.0.0.1", peer.port(), 0, peer.roots());
            ways.add(new Between(
                    peer.name(), outside, order, Optional.of(peer.process()), Started.Family.WITH_CHILDREN));
        }
        cage(papers, opened, unopened);
    }

    private static Order order(String target, int port, int proxy, Path roots) {
        return new Order(
                Papers.NAME, target, port, proxy, roots.toString(), "/1k", Order.Style.KEEPS, 1, Duration.ZERO);
    }

    private void cage(Papers papers, int opened, int unopened) throws IOException {
        var policy = Files.writeString(folder.resolve("policy.yaml"), """
                tool: bench
                fs:
                  mounts:
                    - {path: /workspace, mode: rw}
                    - {path: %1$s/lib, mode: ro, source: %2$s/bench/target/lib}
                    - {path: %1$s/classes, mode: ro, source: %2$s/bench/target/classes}
                    - {path: %1$s/open, mode: ro, source: %3$s}
                net:
                  hosts:
                    - {host: origin.test, ports: [%4$d], addresses: [127.0.0.1], upstream_ca: %5$s}
                    - {host: origin.test, ports: [%6$d], addresses: [127.0.0.1], inspect: false}
                resources: {timeout: 1h, memory: 2GiB}
                """.formatted(
                        IN_CAGE, home, folder.resolve("open"), opened, papers.roots(), unopened));
        var words =
                new ArrayList<>(List.of(home + "/cagewright", "run", "--quiet", "--policy", policy.toString(), "--"));
        words.addAll(java("Load", IN_CAGE));
        var caged = start("cage", words);
        var inspected = new Order(
                Papers.NAME, Papers.NAME, opened, 0, Order.TRUSTED, "/1k", Order.Style.KEEPS, 1, Duration.ZERO);
        var passed = new Order(
                Papers.NAME,
                Papers.NAME,
                unopened,
                0,
                IN_CAGE + "/open/roots.pem",
                "/1k",
                Order.Style.KEEPS,
                1,
                Duration.ZERO);
        ways.add(new Between("inspecting", caged, inspected, Optional.of(caged), Started.Family.ALONE));
        ways.add(new Between("passing", caged, passed, Optional.of(caged), Started.Family.ALONE));
    }

    static List<String> java(String main, String place, String... arguments) {
        var words = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                place + "/classes:" + place + "/lib/*",
                "dev.cagewright.bench.gateway." + main));
        words.addAll(List.of(arguments));
        return words;
    }

    private Started start(String name, List<String> words) throws IOException {
        var workspace = Files.createDirectories(folder.resolve("workspace"));
        var environment = Map.of(
                "XDG_STATE_HOME", folder.resolve("state").toString(),
                "XDG_CONFIG_HOME", folder.resolve("config").toString());
        var started = Started.of(words, workspace, folder.resolve(name + ".log"), environment);
        running.push(started);
        return started;
    }

    /// Ends all. What they said stays in the folder.
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
