package dev.cagewright.escape.stage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/// The host's listeners, queues and processes that a cage must not reach; one process of the program `host`.
public final class HostSide implements AutoCloseable {
    private final Process process;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<String> contacts = new CopyOnWriteArrayList<>();

    /// Where its sockets with a path stand; `-` for none.
    public record Places(String name, String run, String home, String workspace) {}

    private HostSide(Process process) {
        this.process = process;
    }

    public static HostSide start(Path program, Places places) throws IOException {
        var words = List.of(
                program.toString(), places.name(), places.run(), places.home(), places.workspace(), Stage.CANARY);
        var builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
        var side = new HostSide(builder.start());
        var lines = side.process.inputReader(StandardCharsets.UTF_8);
        for (String line = next(lines); !line.equals("ready"); line = next(lines)) {
            int equals = line.indexOf('=');
            side.facts.put(line.substring(0, equals), line.substring(equals + 1));
        }
        Thread.ofVirtual().start(() -> side.listen(lines));
        return side;
    }

    private static String next(BufferedReader lines) throws IOException {
        return Objects.requireNonNull(lines.readLine(), "the host's side ended before it was ready");
    }

    private void listen(BufferedReader lines) {
        try {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                contacts.add(line);
            }
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Names of what it has, as the probe program takes them.
    public Map<String, String> facts() {
        return Map.copyOf(facts);
    }

    public String fact(String name) {
        return Objects.requireNonNull(facts.get(name), name);
    }

    /// Everybody who came, in order.
    public List<String> contacts() {
        return List.copyOf(contacts);
    }

    /// Is the process that probes try to signal still there?
    public boolean isSleeperAlive() {
        return ProcessHandle.of(Long.parseLong(fact("host-pid")))
                .map(ProcessHandle::isAlive)
                .orElse(false);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
