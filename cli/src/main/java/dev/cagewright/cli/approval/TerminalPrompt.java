package dev.cagewright.cli.approval;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// The person at the command's own terminal. While its keyboard is free they are asked there; where it belongs to a
/// program they are told that something waits: in a line, or by the bell where the program draws the screen.
public final class TerminalPrompt implements Asker {
    /// A line typed is taken up after this long at most, milliseconds.
    private static final long LOOK = 50;

    private final Console console;
    private final Function<Question, Keyboard> keyboard;

    /// Whose the terminal is when a question comes.
    public enum Keyboard {
        /// Nobody reads from it: the person can answer here.
        FREE,
        /// A program reads lines from it, or nothing does and they go elsewhere.
        TAKEN,
        /// A program draws the screen.
        DRAWN
    }

    public TerminalPrompt(Console console, Function<Question, Keyboard> keyboard) {
        this.console = console;
        this.keyboard = keyboard;
    }

    @Override
    public boolean reaches() {
        return Terminal.at(2).isPresent()
                && (Terminal.at(0).isPresent() || Terminal.at(1).isPresent());
    }

    @Override
    public Asked ask(Question question, Answers answers) {
        if (!reaches()) {
            return () -> {};
        }
        var now = keyboard.apply(question);
        if (now == Keyboard.FREE && Terminal.at(0).isPresent()) {
            return prompt(question, answers);
        }
        if (now == Keyboard.DRAWN) {
            console.ring();
        } else {
            new QuestionView(console).tell(question);
        }
        return () -> {};
    }

    private Asked prompt(Question question, Answers answers) {
        var view = new QuestionView(console);
        view.tell(question);
        view.prompt();
        var over = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            try {
                read(answers, over);
            } catch (IOException e) {
                console.say(Visible.text(String.valueOf(e.getMessage())));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return over::countDown;
    }

    /// The terminal keeps a line until it is whole, so that reading it never waits.
    @SuppressWarnings("resource") // standard input stays open for the program
    private void read(Answers answers, CountDownLatch over) throws IOException, InterruptedException {
        InputStream typed = new FileInputStream(FileDescriptor.in);
        while (!over.await(LOOK, TimeUnit.MILLISECONDS)) {
            int ready = typed.available();
            if (ready > 0) {
                var answer = AnswerWord.parse(typed.readNBytes(ready));
                answers.reply(answer.word(), answer.scope(), "terminal");
                return;
            }
        }
    }
}
