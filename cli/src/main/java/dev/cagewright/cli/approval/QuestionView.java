package dev.cagewright.cli.approval;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.approval.Question;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// A question as a person sees it: the exact object, in lines that move no cursor.
public final class QuestionView {
    private final Console console;

    public QuestionView(Console console) {
        this.console = console;
    }

    /// Shows it on standard error, with how it is answered from elsewhere.
    public void tell(Question question) {
        console.say(Visible.text(question.id() + " waits for approval until " + question.until()));
        console.more(Visible.text(question.what()));
        question.lines().forEach(line -> console.more(Visible.text(line)));
        console.more("SHA-256 of all of it: " + question.digest().substring(0, 16) + "...");
        console.more("asked by " + Visible.text(String.join(", ", question.rules())) + " of cage "
                + Visible.text(question.cage()));
        console.more("cagewright approve " + question.id() + "   or   cagewright deny " + question.id());
    }

    /// Asks for an answer at this terminal.
    public void prompt() {
        console.ask(AnswerWord.OFFER + ": ");
    }

    /// How long it still waits, in whole seconds or minutes.
    static String left(Question question) {
        long seconds =
                Math.max(0, Duration.between(Instant.now(), question.until()).get(ChronoUnit.SECONDS));
        return seconds < 120 ? seconds + "s" : seconds / 60 + "m";
    }
}
