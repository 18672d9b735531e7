package dev.cagewright.cli.changes;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;

/// One session that nobody else acts on meanwhile.
record HeldSession(Console console, StateFolders folders, String id) {
    /// What is done to its copies, by a command that ends with the answer.
    @FunctionalInterface
    interface Act {
        int on(CopyChoice choice) throws IOException, DeniedException;
    }

    /// What is done to its folder alone.
    @FunctionalInterface
    interface Work {
        int on(Path folder) throws IOException;
    }

    Path folder() throws IOException {
        return folders.sessions().resolve(new SessionId(id).value());
    }

    /// @throws IOException also if the session lives, as one whose copy is being made does
    int whileHeld(Work work) throws IOException {
        try (var _ = SessionLife.begin(folder())) {
            return work.on(folder());
        }
    }

    /// Acts while the session is held; what stands against it is told.
    int act(Act act) throws IOException {
        try {
            var choice = CopyChoice.of(folders, id);
            try (var _ = SessionLife.begin(choice.folder())) {
                return act.on(choice);
            }
        } catch (NoCopyException e) {
            console.say(String.valueOf(e.getMessage()));
            return ExitCode.CHECK_FAILED.code();
        } catch (DeniedException e) {
            console.say("denied: " + e.getMessage());
            return ExitCode.of(e.denial()).code();
        }
    }
}
