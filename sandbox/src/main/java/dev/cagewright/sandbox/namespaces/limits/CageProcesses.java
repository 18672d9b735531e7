package dev.cagewright.sandbox.namespaces.limits;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The processes below a cage's first one, as `/proc` of the host shows them now. Every process of a cage
/// is there, because whoever loses its parent gets the first process as its new one.
///
/// @param count alive
/// @param residentBytes shared pages divided by who shares them
public record CageProcesses(int count, long residentBytes, Duration cpu) {
    /// A fork bomb shall not make this loop long.
    private static final int MAX_PROCESSES = 20_000;

    /// On a processor, waiting for one, or asleep until a signal comes.
    private static final Set<String> RUNNING = Set.of("R", "S");

    private static final long TICK_NANOS = 10_000_000; // USER_HZ is 100 on every architecture we run on
    private static final long PAGE_BYTES = 4096;

    public static CageProcesses below(long initPid) {
        int count = 0;
        long resident = 0;
        long ticks = 0;
        var left = new ArrayDeque<>(childrenOf(Long.toString(initPid)));
        while (!left.isEmpty() && count < MAX_PROCESSES) {
            var pid = left.poll();
            left.addAll(childrenOf(pid));
            count++;
            resident += residentOf(pid);
            ticks += ticksOf(pid);
        }
        return new CageProcesses(count, resident, Duration.ofNanos(ticks * TICK_NANOS));
    }

    /// Whether none of them runs or would if it could: each is stopped, is dead, or is in the middle of a system call
    /// that it does not come back from before it is stopped.
    ///
    /// @param initPid is left out
    public static boolean stand(long initPid) {
        var left = new ArrayDeque<>(childrenOf(Long.toString(initPid)));
        for (int count = 0; !left.isEmpty() && count < MAX_PROCESSES; count++) {
            var pid = left.poll();
            left.addAll(childrenOf(pid));
            var threads = Path.of("/proc", pid, "task").toFile().list();
            for (var thread : threads == null ? new String[0] : threads) {
                var fields = statOf(Path.of("/proc", pid, "task", thread));
                if (RUNNING.contains(fields[0])) {
                    return false;
                }
            }
        }
        return left.isEmpty();
    }

    private static List<String> childrenOf(String pid) {
        var children = new ArrayDeque<String>();
        var threads = Path.of("/proc", pid, "task").toFile().list();
        for (var thread : threads == null ? new String[0] : threads) {
            var line = read(Path.of("/proc", pid, "task", thread, "children")).strip();
            if (!line.isEmpty()) {
                children.addAll(Arrays.asList(line.split(" ", -1)));
            }
        }
        return List.copyOf(children);
    }

    private static long residentOf(String pid) {
        for (var line : read(Path.of("/proc", pid, "smaps_rollup")).split("\n", -1)) {
            if (line.startsWith("Pss:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        var pages = read(Path.of("/proc", pid, "statm")).split(" ", -1);
        return pages.length > 1 ? Long.parseLong(pages[1]) * PAGE_BYTES : 0;
    }

    /// Fields 14 and 15.
    private static long ticksOf(String pid) {
        var fields = statOf(Path.of("/proc", pid));
        return fields.length > 12 ? Long.parseLong(fields[11]) + Long.parseLong(fields[12]) : 0;
    }

    /// The fields of proc_pid_stat(5) from the third on: they stand behind the name, which may hold anything.
    private static String[] statOf(Path folder) {
        var stat = read(folder.resolve("stat"));
        return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    }

    /// Empty when the process is gone.
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return "";
        }
    }
}
