package dev.cagewright.supervisor.resident;

import dev.cagewright.sandbox.host.DetachedProgram;
import dev.cagewright.supervisor.resident.unit.SystemdUnit;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Starts the background supervisor where none answers.
///
/// @param command its words
/// @param environment the variables of whoever starts it; it gets those that it needs and no other, for it lives long
public record ResidentStart(List<String> command, Map<String, String> environment) {
    /// A start may take long on a machine that has much to do.
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long PAUSE_MILLIS = 25;
    private static final int MOST_TOLD = 4096;

    /// Where things are, whom to notify, and what the product itself reads.
    private static final Set<String> ITS = Set.of(
            "HOME",
            "PATH",
            "USER",
            "LOGNAME",
            "LANG",
            "TMPDIR",
            "JAVA_HOME",
            "XDG_RUNTIME_DIR",
            "XDG_DATA_DIRS",
            "DBUS_SESSION_BUS_ADDRESS",
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "CAGEWRIGHT_PASSPHRASE_FILE",
            "CAGEWRIGHT_SUPERVISOR_IDLE",
            "CAGEWRIGHT_DEBUG");

    public ResidentStart {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /// The supervisor that answers, started if none did.
    ///
    /// @throws IOException if it does not come up, with what it said
    public ResidentClient client(StateFolders folders) throws IOException {
        var there = ResidentClient.find(folders);
        return there.isPresent() ? there.get() : started(folders);
    }

    private ResidentClient started(StateFolders folders) throws IOException {
        var place = SupervisorPlace.of(folders);
        var unit = new SystemdUnit(folders);
        if (unit.isInstalled() && SystemdUnit.obstacle().isEmpty()) {
            unit.start();
            return answering(folders, place, OptionalInt::empty);
        }
        return answering(folders, place, DetachedProgram.start(command, its(folders), place.output())::status);
    }

    private static ResidentClient answering(StateFolders folders, SupervisorPlace place, Supplier<OptionalInt> program)
            throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            var client = ResidentClient.find(folders);
            if (client.isPresent()) {
                return client.get();
            }
            var status = program.get();
            if (status.isPresent() && status.getAsInt() != 0) {
                throw new IOException("the background supervisor did not start: " + said(place));
            }
            pause();
        }
        throw new IOException("the background supervisor did not answer within " + PATIENCE.toSeconds()
                + " s (expected: cagewright supervisor status says more; its notes are in " + place.notes() + ")");
    }

    /// One that another one was faster than ends well; the other one answers soon.
    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the background supervisor started", e);
        }
    }

    private Map<String, String> its(StateFolders folders) {
        var all = new TreeMap<String, String>();
        environment.forEach((name, value) -> {
            if (ITS.contains(name)) {
                all.put(name, value);
            }
        });
        all.put(
                "XDG_CONFIG_HOME",
                String.valueOf(Objects.requireNonNull(folders.config().getParent(), "a parent")));
        all.put(
                "XDG_STATE_HOME",
                String.valueOf(Objects.requireNonNull(folders.state().getParent(), "a parent")));
        return all;
    }

    private static String said(SupervisorPlace place) {
        try {
            var said = new String(OwnerFile.read(place.output(), 1 << 20), StandardCharsets.UTF_8).strip();
            return said.isEmpty() ? "it said nothing" : said.substring(Math.max(0, said.length() - MOST_TOLD));
        } catch (IOException e) {
            return "what it said cannot be read: " + e.getMessage();
        }
    }
}
