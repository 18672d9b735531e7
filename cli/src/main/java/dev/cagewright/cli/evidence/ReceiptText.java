package dev.cagewright.cli.evidence;

import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.cli.terminal.Wrapped;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.receipt.Argv;
import dev.cagewright.supervisor.receipt.ProgramsStated;
import dev.cagewright.supervisor.receipt.Receipt;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A receipt for a person's eyes, in 80 columns and safe on a terminal. Long lists are told by their beginning.
final class ReceiptText {
    private static final int LABEL = 13;
    private static final int SHOWN = 10;

    private final SignedReceipt signed;
    private final Receipt receipt;
    private final List<String> lines = new ArrayList<>();

    ReceiptText(SignedReceipt signed) {
        this.signed = signed;
        this.receipt = signed.receipt();
    }

    List<String> lines() {
        run();
        policy();
        cage();
        decisions();
        changes();
        end();
        log();
        return List.copyOf(lines);
    }

    private void run() {
        var run = receipt.run();
        put("session", run.session() + " (cage " + run.cage() + ")");
        boolean isCage = run.programs().isPresent();
        if (!isCage || run.argv().count() > 0) {
            put(isCage ? "own program" : "command", command(run.argv()));
            put("argv sha256", run.argv().sha256());
        }
        put("directory", run.directory());
        run.setup().ifPresent(setup -> {
            put("set-up", command(setup.argv()));
            put("set-up end", setup.end().cause() + ", status " + setup.end().status());
        });
        run.programs().ifPresent(this::programs);
        put("began", run.started().toString());
        var phases = new ArrayList<String>();
        for (var phase : run.phases()) {
            phases.add(String.format(
                    Locale.ROOT,
                    "%s +%.3f s",
                    phase.name(),
                    Duration.between(run.started(), phase.at()).toNanos() / 1e9));
        }
        put("phases", String.join(", ", phases.subList(1, phases.size())));
        put("environment", joined(run.environment()));
        put("product", "cagewright " + receipt.product().version());
    }

    private void programs(ProgramsStated programs) {
        put("programs", Long.toString(programs.count()));
        programs.first().stream()
                .limit(SHOWN)
                .forEach(one ->
                        put("program", one.id() + " " + one.cause() + " " + one.status() + ": " + command(one.argv())));
        more(programs.first().size(), "programs");
    }

    private static String command(Argv argv) {
        return argv.words().isEmpty()
                ? argv.count() + " words, too long to show"
                : argv.words().stream().map(ReceiptText::word).collect(Collectors.joining(" "));
    }

    private static String word(JsonValue value) {
        return value instanceof JsonString(String text) ? ByteString.of(text).printable() : value.write();
    }

    private void policy() {
        receipt.policy()
                .forEach(layer -> put("policy", layer.rank() + " " + layer.name() + " sha256 " + layer.sha256()));
    }

    private void cage() {
        var cage = receipt.cage();
        put("isolation", "at least " + cage.asked());
        cage.relaxations().forEach(given -> put("given up", given));
        cage.places().stream()
                .limit(SHOWN)
                .forEach(place -> put("place", place.access() + " " + place.at() + " (" + place.source() + ")"));
        more(cage.places().size(), "places");
        cage.held()
                .enforced()
                .forEach(one -> put("held", one.limit() + ": " + one.value() + " (" + one.mechanism() + ")"));
        cage.held().gaps().forEach(gap -> put("not held", gap.limit() + ": " + gap.reason()));
    }

    private void decisions() {
        var decisions = receipt.decisions();
        put("decisions", decisions.allowed() + " allowed, " + decisions.denied() + " denied");
        decisions.denials().stream()
                .limit(SHOWN)
                .forEach(one -> put("denied", one.id() + " " + one.action() + ": " + one.why()));
        more(decisions.denials().size(), "denials");
        decisions.secrets().stream()
                .limit(SHOWN)
                .forEach(one -> put("secret", one.name() + ", used " + one.uses() + " times"));
        more(decisions.secrets().size(), "secrets");
    }

    private void changes() {
        var changes = receipt.changes();
        if (!changes.isStated()) {
            put("changes", "not stated: " + changes.why());
            return;
        }
        put("changes", changes.count() + ", list sha256 " + changes.sha256());
        changes.files().stream()
                .limit(SHOWN)
                .forEach(file -> put(file.change(), word(file.path()) + " (" + file.kind() + ")"));
        more(changes.files().size(), "changes");
    }

    private void end() {
        var end = receipt.end();
        put("end", end.cause() + (end.ran() ? ", status " + end.status() : "") + ", code " + end.code());
        if (!end.why().isEmpty()) {
            put("why", end.why());
        }
        if (end.ran()) {
            var used = end.used();
            put(
                    "used",
                    String.format(
                            Locale.ROOT,
                            "%.2f s wall, %.2f s user, %.2f s system, %d KiB; wrote %d and %d bytes",
                            used.wall() / 1e3,
                            used.user() / 1e3,
                            used.system() / 1e3,
                            used.memory() >> 10,
                            used.out(),
                            used.err()));
        }
        end.notices().stream().limit(SHOWN).forEach(notice -> put("notice", notice));
        more(end.notices().size(), "notices");
        end.afterwards().stream().limit(SHOWN).forEach(found -> put("left behind", found));
        more(end.afterwards().size(), "findings");
    }

    private void log() {
        var log = receipt.log();
        put("log", log.id());
        put(
                "lines",
                log.lines() == 0
                        ? "none could be written"
                        : log.lines() + ", from " + log.first() + " to " + log.last());
        if (!log.head().isEmpty()) {
            put("last hash", log.head());
        }
        put("signed by", "key id " + signed.envelope().keyId());
        put("file sha256", signed.sha256());
    }

    private static String joined(List<String> words) {
        return words.isEmpty() ? "nothing" : String.join(" ", words);
    }

    private void more(int count, String what) {
        if (count > SHOWN) {
            put("", (count - SHOWN) + " more " + what + ": --json has them");
        }
    }

    private void put(String label, String value) {
        var head = String.format(Locale.ROOT, "%-" + LABEL + "s", label);
        var text = Visible.text(value);
        for (String line : Wrapped.text(text, Console.WIDTH - LABEL)) {
            lines.add((head + line).stripTrailing());
            head = " ".repeat(LABEL);
        }
    }
}
