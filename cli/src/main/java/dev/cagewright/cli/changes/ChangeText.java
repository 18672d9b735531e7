package dev.cagewright.cli.changes;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.ChangeJson;
import dev.cagewright.supervisor.changes.ChangeSet;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.Difference;
import dev.cagewright.supervisor.changes.Node;
import dev.cagewright.supervisor.changes.PivotReport;
import dev.cagewright.supervisor.changes.diff.Patch;
import dev.cagewright.supervisor.changes.merge.Reconciliation;
import dev.cagewright.supervisor.changes.merge.ThreeWay;
import dev.cagewright.supervisor.state.SessionId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Changes for a person. Names are escaped; a patch is raw bytes unless it goes to a terminal.
final class ChangeText {
    private static final int BAR = 30;
    private static final int NAME = 40;

    private final Console console;

    ChangeText(Console console) {
        this.console = console;
    }

    /// One line a change, then what the host would execute.
    void list(ChangeSet changes, SessionId session) throws IOException {
        var out = console.out();
        var all = changes.differences();
        out.println(count(all.size(), "change") + " in session " + session + " to "
                + changes.copy().lower());
        var verdicts = verdicts(changes);
        for (Difference one : all) {
            var mark = one.conflict().isPresent() ? "!" : " ";
            out.println(mark + " " + String.format(Locale.ROOT, "%-8s ", ChangeJson.word(one.change())) + one.path()
                    + suffix(one.change()));
            one.conflict().ifPresent(why -> out.println("             conflict: " + why + verdicts.get(one.path())));
        }
        pivots(PivotReport.of(changes));
        if (!all.isEmpty()) {
            out.println();
            out.println("cagewright changes " + session + " --diff   shows it in full");
            out.println("cagewright apply " + session + "            brings it to the host");
            out.println("cagewright discard " + session + "          throws it away");
        }
    }

    /// What comes of each file that the host changed too.
    private static Map<RelativePath, String> verdicts(ChangeSet changes) throws IOException {
        var verdicts = new HashMap<RelativePath, String>();
        try (var trees = CopyTrees.open(changes.copy())) {
            for (Difference one : changes.differences()) {
                var how = Reconciliation.of(changes.copy(), trees, one);
                if (how.isPresent()) {
                    verdicts.put(
                            one.path(),
                            switch (how.get()) {
                                case Reconciliation.Fits _ -> "; both changes fit together, apply merges them";
                                case Reconciliation.Clashes _ -> ", in the same lines";
                                case Reconciliation.Open _ -> "";
                            });
                }
            }
        }
        return verdicts;
    }

    private static String suffix(Change change) {
        return switch (change) {
            case Change.Added(var _, Node.Folder _) -> "/";
            case Change.Added(var _, Node.Link(var text)) -> " -> " + text;
            case Change.Added(var _, Node.Special(String word)) -> " (" + word + ")";
            case Change.Modified(var _, var _, Node.Link(var text)) -> " -> " + text;
            case Change.Deleted(var _, Node.Folder _) -> "/";
            case Change.ModeChanged(var _, var was, var is) -> " " + mode(was) + " -> " + mode(is);
            case Change.Added _, Change.Modified _, Change.Deleted _ -> "";
        };
    }

    private static String mode(Node node) {
        return switch (node) {
            case Node.File(int mode, var _, var _) -> ChangeJson.octal(mode);
            case Node.Folder(int mode) -> ChangeJson.octal(mode);
            case Node.Link _, Node.Special _ -> "-";
        };
    }

    private void pivots(PivotReport report) {
        if (report.findings().isEmpty()) {
            return;
        }
        var out = console.out();
        out.println();
        out.println("the host would execute or obey:");
        report.findings().forEach(finding -> out.println("  " + finding.line()));
        if (report.more() > 0) {
            out.println("  and " + report.more() + " more");
        }
    }

    /// Lines that came and went, as git shows them.
    void stat(ChangeSet changes) throws IOException {
        int added = 0;
        int removed = 0;
        int files = 0;
        try (var trees = CopyTrees.open(changes.copy())) {
            var patch = new Patch(trees, (_, _) -> {});
            for (Difference one : changes.differences()) {
                if (isFolder(one.change())) {
                    continue;
                }
                files++;
                var count = patch.count(one);
                added += count.map(Patch.Count::added).orElse(0);
                removed += count.map(Patch.Count::removed).orElse(0);
                console.out().println(" " + pad(one.path().toString()) + " | " + figure(count));
            }
        }
        console.out()
                .println(" " + count(files, "file") + " changed, " + count(added, "insertion") + "(+), "
                        + count(removed, "deletion") + "(-)");
    }

    private static boolean isFolder(Change change) {
        return switch (change) {
            case Change.Added(var _, var after) -> after instanceof Node.Folder;
            case Change.Deleted(var _, var before) -> before instanceof Node.Folder;
            case Change.ModeChanged(var _, var before, var _) -> before instanceof Node.Folder;
            case Change.Modified _ -> false;
        };
    }

    private static String pad(String name) {
        return String.format(Locale.ROOT, "%-" + NAME + "s", name);
    }

    private String figure(Optional<Patch.Count> count) {
        if (count.isEmpty()) {
            return "binary";
        }
        int added = count.get().added();
        int removed = count.get().removed();
        int all = Math.max(1, added + removed);
        double scale = Math.min(1.0, (double) BAR / all);
        return (added + removed) + " "
                + console.palette().good("+".repeat((int) Math.ceil(added * scale)))
                + console.palette().bad("-".repeat((int) Math.ceil(removed * scale)));
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /// All of it, in git's form.
    void patch(ChangeSet changes) throws IOException {
        boolean raw = !Terminal.at(1).isPresent();
        try (var trees = CopyTrees.open(changes.copy())) {
            var patch = new Patch(trees, (kind, line) -> {
                if (raw) {
                    console.out().writeBytes(line);
                } else {
                    console.out().println(painted(kind, visible(line)));
                }
            });
            for (Difference one : changes.differences()) {
                show(patch, one, Reconciliation.of(changes.copy(), trees, one));
                if (console.isBroken()) {
                    return;
                }
            }
        }
    }

    private static void show(Patch patch, Difference one, Optional<Reconciliation> how) throws IOException {
        if (how.isPresent() && how.get() instanceof Reconciliation.Fits(var text)) {
            patch.writeMerged(one, text.text());
            return;
        }
        if (how.isPresent() && how.get() instanceof Reconciliation.Clashes(var text)) {
            text.clashes().forEach(clash -> patch.remark(ThreeWay.marked(clash)));
        }
        patch.write(one);
    }

    private String painted(Patch.Line kind, String line) {
        return switch (kind) {
            case ADDED -> console.palette().good(line);
            case REMOVED -> console.palette().bad(line);
            case HEAD, HUNK -> console.palette().strong(line);
            case CONTEXT -> line;
        };
    }

    /// Without its line feed; tabs stay.
    private static String visible(byte[] line) {
        var text = new String(line, 0, line.length - 1, StandardCharsets.UTF_8);
        return Arrays.stream(text.split("\t", -1)).map(Visible::text).collect(Collectors.joining("\t"));
    }
}
