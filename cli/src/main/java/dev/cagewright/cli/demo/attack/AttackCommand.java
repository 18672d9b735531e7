package dev.cagewright.cli.demo.attack;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `cagewright demo attack`: a malicious agent in a cage, what became of each attempt, and a look at the host
/// afterwards. Ends with 1 if anything got through.
@Command(
        name = "attack",
        description = "Plays a malicious agent in a cage: what became of each attempt, and the host afterwards.",
        mixinStandardHelpOptions = true)
public final class AttackCommand implements Callable<Integer> {
    private static final int WHAT = 40;
    private static final int RECORD = 60;

    private final Console console;
    private final Commands commands;

    @Option(names = "--json", description = "One JSON object instead of the table.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean json = false;

    @Option(names = "--details", description = "What the agent said of each attempt, too.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean details = false;

    @Option(names = "--keep", description = "Keep its folder, to look into the log with why, net and audit.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean keep = false;

    /// The product's own commands in other folders.
    @FunctionalInterface
    public interface Commands {
        /// Runs one command line with its output in memory.
        ///
        /// @param folders variables with other values than this process has
        int run(Console into, Map<String, String> folders, String... words);
    }

    public AttackCommand(Console console, Commands commands) {
        this.console = console;
        this.commands = commands;
    }

    @Override
    public Integer call() throws IOException {
        var stagehand = new KeptCommands(commands);
        try (var ground = Ground.prepare()) {
            if (keep) {
                ground.keep();
                console.say("kept: " + ground.folder() + "; look with XDG_STATE_HOME=" + ground.state());
            }
            var before = Aftermath.of(ground);
            if (!json) {
                console.out().println(console.palette().strong("A malicious agent is let loose in a cage."));
            }
            stagehand.must(
                    ground.folders(),
                    "secret",
                    "set",
                    "api_key",
                    "--use-with",
                    "keys.partner.example",
                    "--from-file",
                    ground.key().toString());
            var plays = new ArrayList<Play>();
            for (String part : Attempts.PARTS) {
                plays.add(Play.perform(ground, part, stagehand));
            }
            var checks = before.checks(plays, stagehand);
            return tell(new Timeline(plays, checks).rows(Attempts.all()), checks)
                    .code();
        }
    }

    private ExitCode tell(List<Timeline.Row> rows, List<HostCheck> checks) {
        boolean isUnharmed = checks.stream().allMatch(HostCheck::isGood);
        boolean isHeld = rows.stream().allMatch(Timeline.Row::held);
        if (json) {
            console.out()
                    .println(toJson(rows, checks)
                            .put("unharmed", isUnharmed)
                            .put("held", isHeld)
                            .build()
                            .write());
        } else {
            table(rows);
            afterwards(checks);
            summary(rows, isUnharmed);
        }
        return isUnharmed && isHeld ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    private void table(List<Timeline.Row> rows) {
        var group = "";
        for (Timeline.Row row : rows) {
            if (!row.attempt().group().equals(group)) {
                group = row.attempt().group();
                console.out().println();
                console.out().println(console.palette().strong(group));
            }
            var mark = row.held()
                    ? console.palette().good("held")
                    : console.palette().bad("FELL");
            console.out()
                    .println("  " + mark + "  " + padded(row.attempt().what(), WHAT) + "  "
                            + Visible.text(brief(row.record().orElse("nothing is on record"))));
            if (details || !row.held()) {
                console.out()
                        .println("          it said: "
                                + Visible.text(
                                        (row.said().word() + " " + row.said().detail()).strip()));
            }
        }
    }

    private static String brief(String record) {
        return record.length() <= RECORD ? record : record.substring(0, RECORD - 3) + "...";
    }

    private static String padded(String text, int width) {
        return String.format(Locale.ROOT, "%-" + width + "s", text);
    }

    private void afterwards(List<HostCheck> checks) {
        console.out().println();
        console.out().println(console.palette().strong("The host afterwards"));
        for (HostCheck check : checks) {
            var mark = check.isGood()
                    ? console.palette().good("true ")
                    : console.palette().bad("FALSE");
            var detail = check.detail().isEmpty() ? "" : "  (" + Visible.text(check.detail()) + ")";
            console.out().println("  " + mark + " " + check.what() + detail);
        }
    }

    private void summary(List<Timeline.Row> rows, boolean isUnharmed) {
        long held = rows.stream().filter(Timeline.Row::held).count();
        long decided = rows.stream()
                .filter(row -> !row.record().orElse("no event").startsWith("no event"))
                .count();
        console.out().println();
        console.out()
                .println(held + " of " + rows.size() + " attempts came to nothing, " + decided
                        + " of them on record; the host is "
                        + (isUnharmed ? "unharmed" : console.palette().bad("harmed"))
                        + ".");
    }

    private static JsonObject.Builder toJson(List<Timeline.Row> rows, List<HostCheck> checks) {
        return Json.object()
                .put(
                        "attempts",
                        rows.stream()
                                .map(row -> Json.object()
                                        .put("id", row.attempt().id())
                                        .put("what", row.attempt().what())
                                        .put("word", row.said().word())
                                        .put("detail", row.said().detail())
                                        .put("session", row.session())
                                        .put("record", row.record().orElse(""))
                                        .put("held", row.held())
                                        .build())
                                .toList())
                .put(
                        "host",
                        checks.stream()
                                .map(check -> Json.object()
                                        .put("check", check.id())
                                        .put("what", check.what())
                                        .put("true", check.isGood())
                                        .put("detail", check.detail())
                                        .build())
                                .toList());
    }
}
