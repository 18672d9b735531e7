package dev.cagewright.bench.gateway;

import java.util.Arrays;
import java.util.Locale;

/// What came of an [Order]: one line, numbers apart by blanks.
///
/// @param answers whole ones, in time
/// @param bytes of their bodies
/// @param errors connections that broke, answers that were not 200
/// @param p50 nanoseconds from a request, or from the dialling, to the end of its answer
/// @param p99 the same
/// @param cpu processor time of the client, nanoseconds
record Yield(long answers, long bytes, long errors, long nanos, long p50, long p99, long cpu) {
    static Yield of(long[] times, long bytes, long errors, long nanos, long cpu) {
        var sorted = times.clone();
        Arrays.sort(sorted);
        return new Yield(sorted.length, bytes, errors, nanos, at(sorted, 50), at(sorted, 99), cpu);
    }

    private static long at(long[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(percent / 100.0 * sorted.length) - 1)];
    }

    static Yield read(String line) {
        var numbers =
                Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        return new Yield(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]);
    }

    String line() {
        return String.format(Locale.ROOT, "%d %d %d %d %d %d %d", answers, bytes, errors, nanos, p50, p99, cpu);
    }

    double perSecond() {
        return answers * 1e9 / nanos;
    }
}
