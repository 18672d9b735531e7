package dev.cagewright.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/// Measured values by name, e.g. `spawn.cage.p50`, and the files that carry them from a measurement to the
/// [Report]: one name and one number a line. Times are nanoseconds.
public final class Figures {
    private final SortedMap<String, Double> values = new TreeMap<>();

    public void put(String name, double value) {
        values.put(name, value);
    }

    /// Adds `name.p10`, `name.p50`, `name.p90` and `name.p99`.
    void percentiles(String name, List<Long> nanos) {
        var sorted = nanos.stream().mapToDouble(Long::doubleValue).sorted().toArray();
        for (int percent : new int[] {10, 50, 90, 99}) {
            put(name + ".p" + percent, percentile(sorted, percent));
        }
        put(name + ".n", sorted.length);
    }

    /// The nearest rank in ascending values.
    static double percentile(double[] sorted, int percent) {
        if (sorted.length == 0) {
            throw new IllegalArgumentException("percentile: no values (expected: at least one)");
        }
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }

    /// The middle one of `one[i] / other[i]`.
    public static double medianRatio(List<Long> one, List<Long> other) {
        var ratios = new double[Math.min(one.size(), other.size())];
        Arrays.setAll(ratios, i -> (double) one.get(i) / other.get(i));
        Arrays.sort(ratios);
        return percentile(ratios, 50);
    }

    OptionalDouble get(String name) {
        var value = values.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /// Writes `<kind>.tsv` into the folder of `-Dbench.figures`.
    public void write(String kind) throws IOException {
        var folder = Files.createDirectories(Path.of(System.getProperty("bench.figures", "bench/target/figures")));
        var lines = new ArrayList<String>();
        values.forEach((name, value) -> lines.add(String.format(Locale.ROOT, "%s\t%.4f", name, value)));
        Files.write(folder.resolve(kind + ".tsv"), lines);
    }

    /// Everything measured so far.
    static Figures read(Path folder) throws IOException {
        var figures = new Figures();
        try (var files = Files.newDirectoryStream(folder, "*.tsv")) {
            for (var file : files) {
                for (var line : Files.readAllLines(file)) {
                    var fields = line.split("\t", 2);
                    figures.put(fields[0], Double.parseDouble(fields[1]));
                }
            }
        }
        return figures;
    }
}
