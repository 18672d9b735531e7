package dev.cagewright.cli.life;

import dev.cagewright.cli.approval.QuestionView;
import dev.cagewright.cli.approval.TerminalPrompt;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import dev.cagewright.supervisor.resident.caller.Callers.Presence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What a person hears while a program of a named cage waits for their approval: at a terminal they answer there, as
/// with `run`; else they are told how. Closing it takes the question back from the terminal. Safe for all threads.
final class Approval implements Consumer<Question>, AutoCloseable {
    private final Background background;
    private final TerminalPrompt terminal;
    private final List<Asker.Asked> asked = new ArrayList<>();

    Approval(Background background) {
        this.background = background;
        this.terminal = new TerminalPrompt(background.console(), _ -> TerminalPrompt.Keyboard.FREE);
    }

    Presence presence() {
        return terminal.reaches() ? Presence.PERSON : Presence.PROGRAM;
    }

    @Override
    public synchronized void accept(Question question) {
        if (presence() == Presence.PERSON) {
            asked.add(terminal.ask(question, new Answers(background, question)));
        } else {
            new QuestionView(background.console()).tell(question);
        }
    }

    /// The supervisor notes how it was told.
    private record Answers(Background background, Question question) implements Asker.Answers {
        @Override
        public void reply(Reply.Word word, Scope scope, String how) throws IOException {
            new PendingQuestions(background.folders()).reply(question, word, scope, how);
        }

        @Override
        public void told(String way) {}

        @Override
        public void untold(String way, String why) {}
    }

    @Override
    public synchronized void close() {
        asked.forEach(Asker.Asked::close);
        asked.clear();
    }
}
