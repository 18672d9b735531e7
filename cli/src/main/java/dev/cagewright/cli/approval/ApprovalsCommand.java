package dev.cagewright.cli.approval;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
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
import dev.cagewright.supervisor.ticket.AnswerDoor;
import dev.cagewright.supervisor.ticket.AnswerPlace;
import dev.cagewright.supervisor.ticket.Links;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

    @Option(
            names = "--listen",
            paramLabel = "PLACE",
            description = "Watch, and answer links: at unix:PATH, 127.0.0.1:PORT or [::1]:PORT. Whoever has a link sees"
                    + " the question and can give its answer, once.")
    private Optional<String> listen = Optional.empty();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "How that place is called from elsewhere, where you have it carried there: https://HOST/")
    private Optional<URI> url = Optional.empty();

    @Option(names = "--json", description = "Print one JSON array; with --watch, one object a line.")
    private boolean json;

    public ApprovalsCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var pending = new PendingQuestions(folders);
        if (url.isPresent() && listen.isEmpty()) {
            throw new IllegalArgumentException("--url: there is no --listen that it could lead to");
        }
        if (!watch && listen.isEmpty()) {
            list(pending.waiting());
            return ExitCode.OK.code();
        }
        try (var _ = new Watchers(folders).watch()) {
            return listen.isPresent() ? listen(pending, listen.get()) : watch(pending, Optional.empty());
        }
    }

    private int listen(PendingQuestions pending, String at) throws IOException, InterruptedException {
        try (var door = AnswerDoor.open(folders, AnswerPlace.parse(at), url)) {
            if (!json) {
                console.say("links are answered at " + Visible.text(at.startsWith("unix:") ? at : door.base())
                        + (door.isPublished() ? "" : "; your webhook does not name them"));
            }
            return watch(pending, Optional.of(door.links()));
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
    private int watch(PendingQuestions pending, Optional<Links> links) throws IOException, InterruptedException {
        Set<Object> seen = new HashSet<>();
        if (!json) {
            console.say("waiting for questions; Ctrl-C ends it");
        }
        while (!console.isBroken()) {
            for (Question question : pending.waiting()) {
                if (seen.add(question.id())) {
                    show(pending, question, links);
                }
            }
            Thread.sleep(LOOK);
        }
        return ExitCode.OK.code();
    }

    private void show(PendingQuestions pending, Question question, Optional<Links> links)
            throws IOException, InterruptedException {
        if (json) {
            console.out().println(line(question, links).write());
            return;
        }
        var view = new QuestionView(console);
        view.tell(question);
        links.ifPresent(some -> {
            console.more("approve it, once:  " + some.approving(question));
            console.more("deny it:  " + some.denying(question));
        });
        if (Terminal.at(0).isPresent()) {
            view.prompt();
            answered(pending, question);
        }
    }

    private static JsonObject line(Question question, Optional<Links> links) {
        if (links.isEmpty()) {
            return question.toJson();
        }
        var line = Json.object();
        question.toJson().members().forEach(line::put);
        return line.put("approve", links.get().approving(question))
                .put("deny", links.get().denying(question))
                .build();
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
