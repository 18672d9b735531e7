package dev.cagewright.sandbox;

import java.time.Duration;

/// The most a cage may use. A limit never widens what the supervisor itself was started with. Core
/// files are never written.
///
/// @param wall how long one program may run, positive
/// @param outputBytes how much output of one program is kept; the rest is read, counted and dropped
/// @param processes processes and threads alive at once
/// @param memoryBytes resident memory of all processes together, temporary files included
/// @param cpus processors, e.g. 0.5 or 2; [#ALL_CPUS] for no bound
/// @param fileSize size of one file written, bytes
/// @param disk all temporary files together, bytes
/// @param openFiles descriptors open in one process
public record Limits(
        Duration wall,
        long outputBytes,
        int processes,
        long memoryBytes,
        double cpus,
        long fileSize,
        long disk,
        int openFiles) {
    /// No bound of its own: what the host allows.
    public static final long UNBOUNDED = Long.MAX_VALUE;

    /// Nobody's clock ends it: a hundred years.
    public static final Duration NO_END = Duration.ofDays(36_500);

    public static final double ALL_CPUS = Double.MAX_VALUE;

    /// Thirty minutes, 10 MiB of output, 512 processes, 2 GiB of memory, 1 GiB of temporary files.
    public static final Limits DEFAULT =
            new Limits(Duration.ofMinutes(30), 10L << 20, 512, 2L << 30, ALL_CPUS, UNBOUNDED, 1L << 30, 16_384);

    public Limits {
        if (wall.isNegative() || wall.isZero()) {
            throw new IllegalArgumentException("wall: " + wall + " (expected: positive)");
        }
        requirePositive("output", outputBytes);
        requirePositive("processes", processes);
        requirePositive("memory", memoryBytes);
        requirePositive("file size", fileSize);
        requirePositive("disk", disk);
        requirePositive("open files", openFiles);
        if (!(cpus >= 0.01)) {
            throw new IllegalArgumentException("cpus: " + cpus + " (expected: at least 0.01)");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }

    public Limits withWall(Duration changed) {
        return new Limits(changed, outputBytes, processes, memoryBytes, cpus, fileSize, disk, openFiles);
    }

    public Limits withOutputBytes(long changed) {
        return new Limits(wall, changed, processes, memoryBytes, cpus, fileSize, disk, openFiles);
    }

    public Limits withProcesses(int changed) {
        return new Limits(wall, outputBytes, changed, memoryBytes, cpus, fileSize, disk, openFiles);
    }

    public Limits withMemoryBytes(long changed) {
        return new Limits(wall, outputBytes, processes, changed, cpus, fileSize, disk, openFiles);
    }

    public Limits withCpus(double changed) {
        return new Limits(wall, outputBytes, processes, memoryBytes, changed, fileSize, disk, openFiles);
    }

    public Limits withFileSize(long changed) {
        return new Limits(wall, outputBytes, processes, memoryBytes, cpus, changed, disk, openFiles);
    }

    public Limits withDisk(long changed) {
        return new Limits(wall, outputBytes, processes, memoryBytes, cpus, fileSize, changed, openFiles);
    }

    public Limits withOpenFiles(int changed) {
        return new Limits(wall, outputBytes, processes, memoryBytes, cpus, fileSize, disk, changed);
    }
}
