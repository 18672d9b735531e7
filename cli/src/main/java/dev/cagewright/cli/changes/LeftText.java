package dev.cagewright.cli.changes;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.leftover.Leftover;
import java.io.IOException;

/// What a session left in the host's own files, for a person or a program.
record LeftText(Console console) {
    /// How it is printed.
    enum Form {
        LINES,
        JSON
    }

    /// Prints it, and answers the exit code.
    int show(CopyChoice choice, Form form) throws IOException, NoCopyException {
        var id = choice.record().id().value();
        if (!Leftover.isKept(choice.folder())) {
            throw new NoCopyException("session " + id + " has no copy: its policy mounts none"
                    + " (source: session-copy), or it was discarded");
        }
        var left = Leftover.load(choice.folder());
        if (form == Form.JSON) {
            console.out()
                    .println(Json.object()
                            .put("session", id)
                            .put("host_would_execute", left.lines())
                            .put("complete", left.complete())
                            .build()
                            .write());
            return ExitCode.OK.code();
        }
        console.out().println("session " + id + " worked on the host's own files");
        if (!left.lines().isEmpty()) {
            console.out().println();
            console.out().println("the host would execute or obey, or was kept from it:");
            left.lines().forEach(line -> console.out().println("  " + Visible.text(line)));
        }
        if (!left.complete()) {
            console.say("not all of the workspace was looked at");
        }
        return ExitCode.OK.code();
    }
}
