package dev.cagewright.cli.evidence;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;

/// How an answer is printed.
enum Format {
    TEXT,
    JSON;

    /// Says that a file is not of the form it should have.
    ///
    /// @param word what it is not, e.g. `no receipt`
    /// @param why may be anybody's text
    int refused(Console console, String word, Exception why) {
        var reason = String.valueOf(why.getMessage());
        if (this == JSON) {
            var answer = Json.object().put("valid", false).put("why", reason).build();
            console.out().println(answer.write());
        } else {
            console.out().println(console.palette().bad(word) + ": " + Visible.text(reason));
        }
        return ExitCode.CHECK_FAILED.code();
    }
}
