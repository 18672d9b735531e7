package dev.cagewright.escape;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/// Everything that was tried and how it went, as a table for people: `target/escape-report.md`.
final class Report {
    private static final Path FILE = Path.of("target/escape-report.md");

    private static final int LONGEST_DETAIL = 500;

    private final List<Row> rows = new ArrayList<>();

    /// One twin of one probe for one person.
    ///
    /// @param side `allowed` or `denied`
    /// @param outside what the same act did without a cage, or `-`
    record Row(String person, Probe probe, String side, String outside, Outcome outcome) {
        String act() {
            return side.equals("allowed")
                    ? probe.allowed().act()
                    : probe.denied().act();
        }

        String oneLine() {
            var line = String.join(" / ", outcome.detail().lines().toList());
            int half = LONGEST_DETAIL / 2;
            return line.length() <= LONGEST_DETAIL
                    ? line
                    : line.substring(0, half) + " ... " + line.substring(line.length() - half);
        }

        String word() {
            return outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        }
    }

    synchronized void add(Row row) {
        rows.add(row);
    }

    synchronized List<Row> rows() {
        return List.copyOf(rows);
    }

    private long count(String word) {
        return rows.stream().filter(row -> row.word().equals(word)).count();
    }

    /// Figures, skips with their reasons, and what fell.
    synchronized String summary() {
        var text = new StringBuilder();
        var probes = rows.stream().map(row -> row.probe().id()).distinct().count();
        text.append(probes).append(" probes, ").append(rows.size()).append(" twins: ");
        text.append(count("held")).append(" held, ").append(count("skipped")).append(" skipped, ");
        text.append(count("fell")).append(" fell\n");
        for (String word : List.of("fell", "skipped")) {
            rows.stream()
                    .filter(row -> row.word().equals(word))
                    .forEach(row -> text.append(String.format(
                            Locale.ROOT,
                            "  %-7s %-4s %-28s %-7s %s%n",
                            word,
                            row.person(),
                            row.probe().id(),
                            row.side(),
                            row.oneLine())));
        }
        return text.toString();
    }

    synchronized void write() throws IOException {
        var text =
                new StringBuilder("# Escape report\n\n```\n").append(summary()).append("```\n\n");
        text.append("| invariant | promise | probes |\n| --- | --- | --- |\n");
        var perInvariant = new TreeMap<Invariant, Long>();
        rows.stream().map(Row::probe).distinct().forEach(probe -> perInvariant.merge(probe.invariant(), 1L, Long::sum));
        perInvariant.forEach((invariant, count) ->
                text.append(String.format(Locale.ROOT, "| %s | %s | %d |%n", invariant, invariant.promise(), count)));
        text.append("\n| person | probe | invariant | tries | twin | act | outside a cage | result | detail |\n");
        text.append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
        rows.forEach(row -> text.append(line(row)));
        Files.writeString(FILE, text);
    }

    private static String line(Row row) {
        var cells = List.of(
                row.person(),
                row.probe().id(),
                row.probe().invariant().name(),
                row.probe().tries(),
                row.side(),
                row.act(),
                row.side().equals("denied") ? row.outside() : "-",
                row.word(),
                row.oneLine());
        return "| "
                + String.join(
                        " | ",
                        cells.stream().map(cell -> cell.replace("|", "\\|")).toList()) + " |\n";
    }
}
