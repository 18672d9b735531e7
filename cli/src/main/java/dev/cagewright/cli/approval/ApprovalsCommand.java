package dev.cagewright.cli.approval;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.read.EventView;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.approval.AnsweredException;
import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Watchers;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `cagewright approvals`: what waits for a person, in all sessions that live.
@Command(name = "approvals", description = "Lists the actions that wait for approval.", mixinStandardHelpOptions = true)
public final class ApprovalsCommand implements Callable<Integer> {
    private static final String ROW = "%-14s  %5s  %-16s  %s";

    /// How often a watcher looks for news, milliseconds.
    private static final long LOOK = 200;

    private final Console console;
    private final StateFolders folders;

    @Option(
            names = "--watch",
            description = "Wait for questions, and answer them here. While somebody watches, runs ask.")
    private boolean watch;

    @Option(names = "--json", description = "Print one JSON array; with --watch, one object a line.")
    private boolean json;

    public ApprovalsCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var pending = new PendingQuestions(folders);
        if (!watch) {
            list(pending.waiting());
            return ExitCode.OK.code();
        }
        try (var _ = new Watchers(folders).watch()) {
            return watch(pending);
        }
    }

    private void list(List<Question> waiting) {
        if (json) {
            console.out()
                    .println(Json.of(waiting.stream().map(Question::toJson).toList())
                            .write());
        } else if (waiting.isEmpty()) {
            console.say("nothing waits for approval");
        } else {
            console.out().println(String.format(Locale.ROOT, ROW, "ID", "LEFT", "CAGE", "WHAT"));
            waiting.forEach(this::row);
        }
    }

    private void row(Question question) {
        console.out()
                .println(Visible.text(String.format(
                        Locale.ROOT,
                        ROW,
                        question.id(),
                        QuestionView.left(question),
                        EventView.shorten(question.cage(), 16),
                        EventView.shorten(question.what(), Console.WIDTH - 41))));
    }

    /// Until the reader of standard output is gone, or a signal ends the process.
    private int watch(PendingQuestions pending) throws IOException, InterruptedException {
        Set<Object> seen = new HashSet<>();
        if (!json) {
            console.say("waiting for questions; Ctrl-C ends it");
        }
        while (!console.isBroken()) {
            for (Question question : pending.waiting()) {
                if (seen.add(question.id())) {
                    show(pending, question);
                }
            }
            Thread.sleep(LOOK);
        }
        return ExitCode.OK.code();
    }

    private void show(PendingQuestions pending, Question question) throws IOException, InterruptedException {
        if (json) {
            console.out().println(question.toJson().write());
            return;
        }
        var view = new QuestionView(console);
        view.tell(question);
        if (Terminal.at(0).isPresent()) {
            view.prompt();
            answered(pending, question);
        }
    }

    /// Answers from elsewhere end the prompt.
    @SuppressWarnings("resource") // standard input stays open
    private void answered(PendingQuestions pending, Question question) throws IOException, InterruptedException {
        InputStream keyboard = new FileInputStream(FileDescriptor.in);
        while (keyboard.available() == 0) {
            if (pending.find(question.id()).isEmpty()) {
                console.say(question.id() + " is settled");
                return;
            }
            Thread.sleep(LOOK);
        }
        var answer = AnswerWord.parse(keyboard.readNBytes(keyboard.available()));
        try {
            pending.reply(question, answer.word(), answer.scope(), "watcher");
            console.say(question.id() + ": " + answer.word().text());
        } catch (AnsweredException e) {
            console.say(Visible.text(String.valueOf(e.getMessage())));
        }
    }
}
