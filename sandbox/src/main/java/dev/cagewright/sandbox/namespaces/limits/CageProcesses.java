package dev.cagewright.sandbox.namespaces.limits;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/// The processes below a cage's first one, as `/proc` of the host shows them now. Every process of a cage
/// is there, because whoever loses its parent gets the first process as its new one.
///
/// @param count alive
/// @param residentBytes shared pages divided by who shares them
public record CageProcesses(int count, long residentBytes, Duration cpu) {
    /// A fork bomb shall not make this loop long.
    private static final int MAX_PROCESSES = 20_000;

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

    /// Fields 14 and 15 of proc_pid_stat(5), counted behind the name, which may hold anything.
    private static long ticksOf(String pid) {
        var stat = read(Path.of("/proc", pid, "stat"));
        var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > 12 ? Long.parseLong(fields[11]) + Long.parseLong(fields[12]) : 0;
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
