package dev.cagewright.supervisor.budget;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// The counts that one session draws on: its own, and those of a minute, an hour or a day, which it shares with all
/// runs of the person that have the same rule. Those are files of the folder `budgets`, made when they are needed.
/// Whoever makes this closes it, after the gateway. Safe for all threads.
public final class Meters implements AutoCloseable {
    private final StateFolders folders;
    private final InstantSource clock;
    private final Map<String, Meter> known = new HashMap<>();
    private final List<CountFile> files = new ArrayList<>();

    public Meters(StateFolders folders, InstantSource clock) {
        this.folders = folders;
        this.clock = clock;
    }

    /// The one count of `what` for a period.
    ///
    /// @param what says what is counted, the same for everybody who shares the count
    /// @throws IOException if the count cannot be had, so nothing of it may be used
    synchronized Meter of(String what, Budget.Per per) throws IOException {
        var key = what + "per " + per.word() + "\n";
        var meter = known.get(key);
        if (meter == null) {
            meter = per == Budget.Per.RUN ? new RunMeter() : shared(key, per);
            known.put(key, meter);
        }
        return meter;
    }

    private Meter shared(String key, Budget.Per per) throws IOException {
        var bytes = key.getBytes(StandardCharsets.UTF_8);
        var name = name(bytes);
        var kept = bytes.length <= CountFile.MOST_KEY
                ? bytes
                : ("a rule that is too long for this file\n" + name).getBytes(StandardCharsets.UTF_8);
        var file = CountFile.open(folders.budgets().resolve(name), kept);
        files.add(file);
        return new WindowMeter(Window.of(per), file, clock);
    }

    private static String name(byte[] key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        for (var file : files) {
            file.close();
        }
    }
}
