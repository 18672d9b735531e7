package dev.cagewright.cli.approval;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Watchers;
import dev.cagewright.supervisor.notice.DesktopNotice;
import dev.cagewright.supervisor.notice.WebhookAsker;
import dev.cagewright.supervisor.state.StateFolders;
import java.util.List;
import java.util.function.Function;

/// The ways from a command to the person who answers for it.
public record Ways(Console console, StateFolders folders) {
    /// All of them, as far as `approving` wants any.
    ///
    /// @param keyboard whose the command's terminal is when a question comes
    public List<Asker> of(Approving approving, Function<Question, TerminalPrompt.Keyboard> keyboard) {
        return approving.of(List.of(
                new TerminalPrompt(console, keyboard),
                new Watchers(folders),
                new WebhookAsker(folders),
                new DesktopNotice(System.getenv())));
    }
}
