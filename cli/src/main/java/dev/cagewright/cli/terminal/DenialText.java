package dev.cagewright.cli.terminal;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.session.DenialReport;
import java.util.stream.Collectors;

/// A denial for people: what, which rule and where it stands, and the narrowest change that would allow it.
public final class DenialText {
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
        console.more("what   " + ByteString.of(report.what()).printable());
        console.more("why    " + ByteString.of(report.why()).printable());
        report.where()
                .ifPresent(
                        where -> console.more("rule   " + ByteString.of(where).printable()));
        report.wouldAllow()
                .forEach(line -> console.more("allow  " + ByteString.of(line).printable()));
        report.id().ifPresent(id -> console.more("more   cagewright why " + id));
    }
}
