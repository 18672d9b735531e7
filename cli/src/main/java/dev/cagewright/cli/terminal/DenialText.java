package dev.cagewright.cli.terminal;

import dev.cagewright.audit.read.EventView;
import dev.cagewright.supervisor.session.DenialReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A denial for people: what, which rule and where it stands, and the narrowest change that would allow it.
public final class DenialText {
    private static final int LABEL = 7;

    private final Console console;

    public DenialText(Console console) {
        this.console = console;
    }

    /// Says it on standard error.
    ///
    /// @param verb e.g. `denied`
    public void show(String verb, DenialReport report) {
        var rules = report.rules().stream().map(rule -> '"' + rule + '"').collect(Collectors.joining(", ", "[", "]"));
        console.say(console.errPalette().bad(verb) + ": " + rules);
        labelled("what", EventView.shorten(printable(report.what()), 4 * Console.WIDTH));
        labelled("why", printable(report.why()));
        report.where().ifPresent(where -> labelled("rule", printable(where)));
        allow(report.wouldAllow());
        report.id().ifPresent(id -> labelled("more", "cagewright why " + id));
    }

    /// Lines of a policy stay as they are, a comment is a sentence.
    private void allow(List<String> lines) {
        var label = "allow";
        for (String line : lines) {
            if (line.startsWith("# ")) {
                labelled(label, printable(line.substring(2)));
            } else {
                label(label, List.of(printable(line)));
            }
            label = "";
        }
    }

    private void labelled(String label, String text) {
        label(label, Wrapped.text(text, Console.WIDTH - LABEL - 2));
    }

    private void label(String label, List<String> lines) {
        var rest = new ArrayList<>(lines);
        console.more(label + " ".repeat(LABEL - label.length()) + rest.removeFirst());
        rest.forEach(line -> console.more(" ".repeat(LABEL) + line));
    }

    private static String printable(String text) {
        return Visible.text(text);
    }
}
