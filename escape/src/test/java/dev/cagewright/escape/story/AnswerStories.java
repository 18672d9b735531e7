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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/// The doors at which a person answers from afar, and a caged program that wants to be that person.
record AnswerStories(Stage stage) {
    private static final String NOTHING = "There is nothing here.";
    private static final int MOST_PORTS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    List<Probe> probes() {
        return List.of(
                new Probe(
                        "answer-by-loopback-from-the-cage",
                        Invariant.I6,
                        "reach the door at which approvals are answered",
                        new Twin("the host's own client gets there", () -> at(Side.HOST)),
                        new Twin("curl to its port from the cage", () -> at(Side.CAGE))),
                new Probe(
                        "key-of-links-from-the-cage",
                        Invariant.I6,
                        "read what links are signed with",
                        new Twin("the host's own client gets there", () -> at(Side.HOST)),
                        new Twin("cat the key and the published place", this::files)));
    }

    /// Where the client is.
    private enum Side {
        HOST,
        CAGE
    }

    private Outcome at(Side side) throws IOException, InterruptedException {
        for (int i = 0; i < MOST_PORTS; i++) {
            int port;
            try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            var url = "http://127.0.0.1:" + port + "/";
            try (var door = listening("127.0.0.1:" + port)) {
                if (answers(door, url)) {
                    return reached(side, url);
                }
            }
        }
        return fell("no door at any of " + MOST_PORTS + " ports");
    }

    private Outcome reached(Side side, String url) throws IOException, InterruptedException {
        var said = side == Side.HOST ? host("curl", "-sS", url) : stage.cage().run("curl", "-sS", "-m", "20", url);
        boolean isReached = said.out().contains(NOTHING);
        return isReached == (side == Side.HOST) ? held(isReached ? "works" : "not there") : fell(said.toString());
    }

    private Command listening(String place) throws IOException {
        return Command.start(
                stage.person()
                        .does(List.of(stage.product().command().toString(), "approvals", "--json", "--listen", place)),
                stage.base(),
                stage.environment());
    }

    private Command.Result host(String... words) throws IOException, InterruptedException {
        try (var command = Command.start(stage.person().does(List.of(words)), stage.base(), stage.environment())) {
            return command.await();
        }
    }

    /// Waits until the door answers. Somebody else may have taken its port meanwhile; then it has ended.
    private boolean answers(Command door, String url) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (door.isAlive() && System.nanoTime() < end) {
            if (host("curl", "-sS", url).out().contains(NOTHING)) {
                return true;
            }
        }
        return false;
    }

    private Outcome files() throws IOException, InterruptedException {
        var key = stage.state().resolve("tickets.key");
        if (!Files.exists(key)) {
            at(Side.HOST);
        }
        for (String name : List.of("tickets.key", "answering", "webhook.json")) {
            var result = stage.cage().run("cat", stage.state().resolve(name).toString());
            if (result.exit() == 0 || !result.out().isEmpty()) {
                return fell(result.toString());
            }
        }
        return held("not readable");
    }
}
