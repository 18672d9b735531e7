package dev.cagewright.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes `docs/benchmarks.md`, or the gateway's `docs/benchmarks-gateway.md`, from what was measured. No figure in
/// them is typed by hand.
final class Report {
    private static final List<String> WAYS =
            List.of("plain", "plain-read", "bubblewrap", "cage", "cage-protected", "cage-alone", "pooled", "standing");
    private static final List<String> PERCENTILES = List.of("p10", "p50", "p99");

    private static final Map<String, String> GATEWAY = new TreeMap<>(Map.of(
            "keep1", "Gateway: HTTPS, 1 KiB, kept connections, 1 at a time",
            "keep16", "Gateway: HTTPS, 1 KiB, kept connections, 16 at a time",
            "keep64", "Gateway: HTTPS, 1 KiB, kept connections, 64 at a time",
            "close1", "Gateway: a new connection for each request, 1 at a time",
            "close16", "Gateway: a new connection for each request, 16 at a time",
            "large1", "Gateway: HTTPS, 1 MiB, kept connections, 1 at a time",
            "large16", "Gateway: HTTPS, 1 MiB, kept connections, 16 at a time"));

    private final Figures figures;
    private final List<String> lines = new ArrayList<>();

    private Report(Figures figures) {
        this.figures = figures;
    }

    /// @param arguments the checkout, the command that ran, the load averages before and after
    static void main(String... arguments) throws IOException {
        var home = Path.of(arguments[0]);
        var figures = Figures.read(Path.of(System.getProperty("bench.figures")));
        var notes = Notes.read(home.resolve("bench/notes.md"));
        var report = new Report(figures);
        report.head(home, arguments[1], arguments[2], arguments[3]);
        if (arguments[1].startsWith("bench/gateway")) {
            report.gatewayFigures();
            report.budgets(notes, Budget.GATEWAY);
            report.gateway();
            Files.write(home.resolve("docs/benchmarks-gateway.md"), report.lines);
        } else {
            report.worstDecision();
            report.budgets(notes, Budget.ALL);
            report.spawns();
            report.steps();
            report.others();
            Files.write(home.resolve("docs/benchmarks.md"), report.lines);
        }
    }

    /// The kinds that promise to allocate nothing; reading an argument list does.
    private void worstDecision() {
        for (var part : List.of("p99", "bytes")) {
            List.of("allowedRequest", "deniedRequest", "fileWrite").stream()
                    .map(kind -> figures.get("decision.1000." + kind + "." + part))
                    .filter(value -> value.isPresent())
                    .mapToDouble(value -> value.getAsDouble())
                    .max()
                    .ifPresent(worst -> figures.put("decision.worst." + part, worst));
        }
    }

    /// What the gateway's budgets are about: the time beyond the way without it and the flush of the intent, and what
    /// one new connection costs.
    private void gatewayFigures() {
        var one = figures.get("gateway.keep1.inspecting.p50");
        var direct = figures.get("gateway.keep1.direct.p50");
        var flush = figures.get("flush.plain.p50");
        if (one.isPresent() && direct.isPresent() && flush.isPresent()) {
            figures.put("gateway.added", one.getAsDouble() - direct.getAsDouble() - flush.getAsDouble());
        }
        figures.get("gateway.close16.inspecting.cpu").ifPresent(cpu -> figures.put("gateway.new-cpu", cpu / 1_000));
    }

    private void head(Path home, String command, String before, String after) throws IOException {
        lines.add("# Benchmarks");
        lines.add("");
        lines.add("Written by `" + command + "` on " + LocalDate.now(ZoneOffset.UTC)
                + "; no figure is typed by hand. What a figure does not say yet stands in `bench/notes.md`.");
        lines.add("");
        lines.addAll(Machine.facts(home));
        lines.add("- load average before: " + before + "; after: " + after);
        lines.add("");
        lines.add(
                "Load beyond the number of processors bends every absolute figure. Ratios are medians of the ratios of");
        lines.add("single rounds, in which all ways run one after the other, so a busy moment hits all of them.");
    }

    private void budgets(Notes notes, List<Budget> budgets) {
        title("Budgets", "what", "budget", "measured", "");
        for (var budget : budgets) {
            var value = figures.get(budget.figure());
            var measured = value.isPresent() ? budget.unit().words(value.getAsDouble()) : "";
            row(budget.what(), budget.promise(), measured, budget.verdict(value).toString());
        }
        lines.add("");
        for (var budget : budgets) {
            if (budget.verdict(figures.get(budget.figure())) != Budget.Verdict.MET) {
                lines.add("- " + budget.what() + ": " + notes.why(budget));
            }
        }
    }

    private void spawns() {
        for (var width : List.of("", "8", "64")) {
            var prefix = "spawn" + width + ".";
            var how = width.isEmpty() ? "one at a time" : width + " at a time";
            title(
                    "From the request to the exit of `true`, " + how,
                    "way",
                    "p10",
                    "p50",
                    "p99",
                    "to plain",
                    "to bubblewrap",
                    "runs");
            for (var way : WAYS) {
                var name = prefix + way;
                if (figures.get(name + ".n").isPresent()) {
                    var cells = new ArrayList<>(List.of(way));
                    PERCENTILES.forEach(part -> cells.add(words(name + "." + part, Unit.MILLISECONDS)));
                    cells.add(words(name + ".to-plain", Unit.RATIO));
                    cells.add(words(name + ".to-bubblewrap", Unit.RATIO));
                    cells.add(words(name + ".n", Unit.COUNT));
                    row(cells.toArray(String[]::new));
                }
            }
        }
        lines.add("");
        lines.add(
                "*plain*: the JDK's ProcessBuilder, output to `/dev/null`. *plain-read*: output through pipes, read to the end.");
        lines.add(
                "*cage*: create, gate, start, await, with a resident supervisor that keeps first processes ready; the cage is closed when the time has been taken. *cage-protected*: the same with "
                        + words("spawn.masks", Unit.COUNT)
                        + " protected paths. *cage-alone*: the same with nothing ready. *pooled*: with a cage out of the pool ("
                        + words("spawn.pool.claimed", Unit.COUNT) + " were, " + words("spawn.pool.missed", Unit.COUNT)
                        + " had to be built). *standing*: gate, start and await in a cage that is there.");
        lines.add(
                "The gate is the real one with one policy; its journal is in memory, the cost of a durable intent is below.");
    }

    private void steps() {
        title("Where the time of one run goes", "way", "step", "p10", "p50", "p99");
        for (var way : List.of("cage", "cage-protected", "cage-alone", "pooled", "standing")) {
            for (var step : List.of("plan", "create", "gate", "start", "await", "close")) {
                timed(List.of(way, step), "steps." + way + "." + step, Unit.MICROSECONDS);
            }
        }
        lines.add("");
        lines.add("*plan* (the search for protected paths) is not part of the runs above.");
    }

    private void others() {
        title("The command line, whole process", "command", "p10", "p50", "p99");
        timed(List.of("`cagewright run -q -- true`"), "cold.run", Unit.MILLISECONDS);
        timed(List.of("`cagewright version`"), "cold.version", Unit.MILLISECONDS);
        timed(List.of("`java -version`"), "cold.java", Unit.MILLISECONDS);
        title("Decisions", "rules", "case", "p50", "p99", "average", "allocated");
        for (var rules : List.of("10", "1000", "10000")) {
            for (var kind : List.of("nothing", "allowedRequest", "deniedRequest", "fileWrite", "programStart")) {
                decision(rules, kind);
            }
        }
        lines.add("");
        lines.add("Percentiles are of single calls and contain two clock readings: `nothing` is those alone.");
        title("Durable appends", "producers", "events a second");
        for (var producers : List.of("1", "16", "64", "1000")) {
            row(producers, words("append." + producers + ".events", Unit.COUNT));
        }
        title("One durable event alone", "way", "p10", "p50", "p99");
        timed(List.of("one write and fdatasync"), "flush.plain", Unit.MICROSECONDS);
        timed(List.of("append"), "flush.append", Unit.MICROSECONDS);
        title("Idle cages", "what", "for each of " + words("idle.count", Unit.COUNT));
        row("memory of the first process (proportional)", words("idle.process", Unit.KIBIBYTES));
        row("memory of the kernel (whole machine, so others count too)", words("idle.kernel", Unit.KIBIBYTES));
        row("descriptors of the supervisor", words("idle.descriptors", Unit.COUNT));
        row("processes, descriptors, control groups left when closed", words("idle.left", Unit.COUNT));
        title("Many cages", "what", "value");
        row("cages alive at once", words("alive.count", Unit.COUNT));
        row("time to build them, for each", words("alive.create", Unit.MILLISECONDS));
        row("time to close them, for each", words("alive.close", Unit.MILLISECONDS));
        row("cages built and closed one after the other", words("churn.count", Unit.COUNT));
        row("time for each", words("churn.each", Unit.MILLISECONDS));
        row("processes, descriptors, mounts, namespaces, control groups, files left", words("churn.left", Unit.COUNT));
    }

    private void gateway() {
        for (var kind : GATEWAY.entrySet()) {
            title(
                    kind.getValue(),
                    "what stands between",
                    "a second",
                    "to direct",
                    "p50",
                    "p99",
                    "MiB/s",
                    "its processor time for 1,000",
                    "the client's");
            for (var way : List.of("direct", "passing", "inspecting", "nginx", "haproxy", "squid", "mitmproxy")) {
                var name = "gateway." + kind.getKey() + "." + way;
                if (figures.get(name + ".rate").isPresent()) {
                    row(
                            way,
                            words(name + ".rate", Unit.COUNT),
                            words(name + ".to-direct", Unit.RATIO),
                            words(name + ".p50", Unit.MICROSECONDS),
                            words(name + ".p99", Unit.MICROSECONDS),
                            words(name + ".bytes", Unit.MEBIBYTES),
                            words(name + ".cpu", Unit.MILLISECONDS),
                            words(name + ".client-cpu", Unit.MILLISECONDS));
                }
            }
        }
        lines.add("");
        lines.add(
                "*passing* (`inspect: false`) and *inspecting* are the packaged product: the client runs in a cage, every request has a durable intent and an outcome, every connection that is passed on too. *nginx* and *haproxy* end TLS and open it anew without a log, haproxy with a new connection to the origin for each of the client's, nginx over kept ones; *squid* (ssl_bump) and *mitmproxy* are asked with CONNECT. One process or worker each; client and origin share the processors with what stands between.");
    }

    private void decision(String rules, String kind) {
        var name = "decision." + rules + "." + kind;
        if (figures.get(name + ".p50").isPresent()) {
            row(
                    rules,
                    kind,
                    words(name + ".p50", Unit.NANOSECONDS),
                    words(name + ".p99", Unit.NANOSECONDS),
                    words(name + ".mean", Unit.NANOSECONDS),
                    words(name + ".bytes", Unit.BYTES));
        }
    }

    private void timed(List<String> labels, String name, Unit unit) {
        if (figures.get(name + ".p50").isPresent()) {
            var cells = new ArrayList<>(labels);
            PERCENTILES.forEach(part -> cells.add(words(name + "." + part, unit)));
            row(cells.toArray(String[]::new));
        }
    }

    private String words(String name, Unit unit) {
        var value = figures.get(name);
        return value.isPresent() ? unit.words(value.getAsDouble()) : "";
    }

    private void title(String title, String... columns) {
        lines.addAll(List.of("", "## " + title, ""));
        row(columns);
        lines.add("| --- ".repeat(columns.length) + "|");
    }

    private void row(String... cells) {
        lines.add("| " + String.join(" | ", cells) + " |");
    }
}
