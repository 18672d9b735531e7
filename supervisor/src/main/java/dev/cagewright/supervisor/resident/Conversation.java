package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.fetch.FetchWish;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.recorded.EventOrder;
import dev.cagewright.supervisor.recorded.FoundLines;
import dev.cagewright.supervisor.recorded.RecordedLines;
import dev.cagewright.supervisor.resident.LivingProgram.Farewell;
import dev.cagewright.supervisor.resident.caller.Callers.Caller;
import dev.cagewright.supervisor.resident.caller.Callers.Presence;
import dev.cagewright.supervisor.resident.caller.Onlooker;
import dev.cagewright.supervisor.resident.wire.Frame;
import dev.cagewright.supervisor.resident.wire.Incoming;
import dev.cagewright.supervisor.resident.wire.Line;
import dev.cagewright.supervisor.resident.wire.Outgoing;
import dev.cagewright.supervisor.resident.wire.OutputBudget;
import dev.cagewright.supervisor.session.RunWatcher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// One caller's question, and what becomes of it.
final class Conversation {
    /// Of the words on the line. `state` and `end` mean the same in every version.
    static final long VERSION = 2;

    /// What may be asked, for whoever has to do with several versions of the product.
    private static final List<String> QUESTIONS =
            List.of("state", "end", "up", "stop", "exec", "fetch", "events", "decision");

    /// How long a question may take to arrive, seconds.
    private static final long PATIENCE = 30;

    private final Line line;
    private final Resident resident;
    private final RecordedLines recorded;
    private final Runnable ending;

    /// @param ending has the supervisor end
    Conversation(Line line, Resident resident, Runnable ending) {
        this.line = line;
        this.resident = resident;
        this.recorded = resident.recorded();
        this.ending = ending;
    }

    void hold() throws IOException {
        var asked = asked();
        try {
            answer(asked);
        } catch (RefusedException e) {
            line.write(Frame.of(Frame.Kind.ANSWER, e.toJson()));
        } catch (IOException | RuntimeException | PolicySyntaxException | BadPolicyException e) {
            line.write(Frame.of(Frame.Kind.ANSWER, refusal(e).toJson()));
        }
    }

    private static RefusedException refusal(Exception failure) {
        return switch (failure) {
            case BadPolicyException bad ->
                new RefusedException(
                        bad.problems().stream()
                                .map(BadPolicyException.Problem::toString)
                                .collect(Collectors.joining("\n")),
                        Ends.USAGE);
            case PolicySyntaxException wrong -> new RefusedException(String.valueOf(wrong.getMessage()), Ends.USAGE);
            case IllegalArgumentException wrong -> new RefusedException(String.valueOf(wrong.getMessage()), Ends.USAGE);
            case IOException failed -> new RefusedException(String.valueOf(failed.getMessage()), Ends.FAILED);
            default -> new RefusedException("internal error: " + failure, Ends.FAILED);
        };
    }

    /// Whoever asks too slowly is cut off.
    private JsonObject asked() throws IOException {
        var there = new CountDownLatch(1);
        Thread.ofVirtual().name("patience").start(() -> {
            try {
                if (!there.await(PATIENCE, TimeUnit.SECONDS)) {
                    line.close();
                }
            } catch (IOException _) {
                return;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            var first = line.read().orElseThrow(() -> new IOException("nothing was asked"));
            if (first.kind() != Frame.Kind.ASK) {
                throw new IOException("a frame " + first.kind() + " (expected: a question)");
            }
            return first.json();
        } finally {
            there.countDown();
        }
    }

    private void answer(JsonObject asked) throws IOException, PolicySyntaxException, BadPolicyException {
        var verb = asked.text("ask").orElse("");
        if (verb.equals("end")) {
            say(Json.object());
            ending.run();
            return;
        }
        if (verb.equals("state")) {
            say(state());
            return;
        }
        requireVersion(asked);
        switch (verb) {
            case "up" -> say(up(UpOrder.read(asked)));
            case "stop" ->
                say(Json.object().put("told", resident.stop(asked.text("name").orElse(""))));
            case "exec" -> exec(ExecOrder.read(asked));
            case "fetch" -> fetch(asked);
            case "events" -> {
                var query = EventOrder.read(asked);
                lines(sink -> recorded.events(query, sink));
            }
            case "decision" -> {
                var id = new DecisionId(asked.text("id").orElse(""));
                lines(sink -> recorded.decision(id, sink));
            }
            default -> throw new IllegalArgumentException("ask: unknown (expected: a question of this version)");
        }
    }

    private static void requireVersion(JsonObject asked) throws RefusedException {
        if (!(asked.member("version").orElse(null) instanceof JsonNumber number) || number.asLong() != VERSION) {
            throw new RefusedException(
                    "the background supervisor is of another version of the product than this command (expected: cagewright"
                            + " supervisor stop, which takes its cages down, and the same command again)",
                    Ends.FAILED);
        }
    }

    private void say(JsonObject.Builder answer) throws IOException {
        line.write(Frame.of(Frame.Kind.ANSWER, answer.build()));
    }

    private JsonObject.Builder state() {
        return Json.object()
                .put("version", VERSION)
                .put("process", ProcessHandle.current().pid())
                .put("questions", QUESTIONS)
                .put("cages", resident.states().stream().map(CageState::toJson).toList());
    }

    private JsonObject.Builder up(UpOrder order) throws IOException, PolicySyntaxException, BadPolicyException {
        var onlooker = new Watching();
        Thread.ofVirtual().name("conversation-up").start(onlooker::look);
        var came = resident.up(order, onlooker);
        return Json.object()
                .put("session", came.cage().session().value())
                .put("arrival", came.arrival().word())
                .put("told", came.told());
    }

    /// The caller while a cage comes up. If they go away, the set-up does not go on.
    private final class Watching implements Onlooker, RunWatcher {
        /// signal(7)
        private static final int KILL = 9;

        private Optional<Run> setup = Optional.empty();
        private boolean isGone;

        void look() {
            try {
                while (line.read().isPresent()) {
                    // nothing that they say now means anything
                }
            } catch (IOException _) {
                // gone
            }
            synchronized (this) {
                isGone = true;
                setup.ifPresent(run -> run.signal(KILL));
            }
        }

        @Override
        public void told(List<String> sentences) {
            Conversation.this.told(sentences);
        }

        @Override
        public Caller caller() {
            return new Caller(
                    Presence.PROGRAM,
                    question -> told(List.of(
                            question.id() + " waits for approval until " + question.until() + ": " + question.what(),
                            "cagewright approve " + question.id() + "   or   cagewright deny " + question.id())));
        }

        @Override
        public OutputStream output() {
            return new Outgoing(line, Frame.Kind.ERR);
        }

        @Override
        public RunWatcher watcher() {
            return this;
        }

        @Override
        public void starting(Warrant warrant, List<String> notices) {
            told(notices);
        }

        @Override
        public synchronized Watch started(Run run) {
            setup = Optional.of(run);
            if (isGone) {
                run.signal(KILL);
            }
            return this::over;
        }

        private synchronized void over() {
            setup = Optional.empty();
        }
    }

    private void told(List<String> sentences) {
        try {
            line.write(Frame.of(
                    Frame.Kind.TOLD, Json.object().put("told", sentences).build()));
        } catch (IOException _) {
            return; // whoever reads the line hears of it
        }
    }

    private void exec(ExecOrder order) throws IOException {
        var cage = resident.require(order.name());
        var input = new Incoming(line);
        var farewell = order.terminal().isPresent() ? Farewell.HANG_UP : Farewell.TERMINATE;
        var program = cage.program(farewell, this::starting, new Caller(order.presence(), this::asked));
        program.whenStopped(this::stopped);
        Thread.ofVirtual().name("conversation-in").start(() -> hear(input, program));
        try {
            line.write(Frame.of(
                    Frame.Kind.END,
                    cage.exec(order, streams(order, input, cage), program).toJson()));
        } finally {
            input.end();
        }
    }

    /// Lines of the log as they stand there, each with its end, and how many.
    private void lines(Looking looking) throws IOException {
        say(Json.object());
        var found = new FoundLines(new Outgoing(line, Frame.Kind.OUT));
        looking.at(found);
        line.write(Frame.of(Frame.Kind.END, found.told()));
    }

    @FunctionalInterface
    private interface Looking {
        void at(EventReader.Sink sink) throws IOException;
    }

    /// Until the caller is gone, or says anything.
    private void hearNothing() {
        try {
            line.read();
        } catch (IOException _) {
            // gone
        }
    }

    private void fetch(JsonObject asked) throws IOException {
        var wish = FetchWish.read(asked);
        var cage = resident.require(wish.cage());
        say(Json.object());
        var body = wish.body() == FetchWish.Body.FOLLOWS ? Optional.of(body()) : Optional.<byte[]>empty();
        var fetch = cage.fetch(wish);
        Thread.ofVirtual().name("conversation-in").start(() -> {
            hearNothing();
            fetch.leave();
        });
        var ended = cage.fetched(fetch, body, new Outgoing(line, Frame.Kind.OUT));
        line.write(Frame.of(Frame.Kind.END, fetch.told(ended)));
    }

    private byte[] body() throws IOException {
        var all = new ByteArrayOutputStream();
        while (true) {
            var frame = line.read().orElseThrow(() -> new IOException("the connection was cut"));
            if (frame.kind() == Frame.Kind.INPUT_END) {
                return all.toByteArray();
            }
            if (frame.kind() != Frame.Kind.INPUT || all.size() + frame.bytes().length > FetchWish.MOST_BODY) {
                throw new IOException("a frame " + frame.kind() + " after " + all.size() + " bytes (expected: at most "
                        + FetchWish.MOST_BODY + " bytes of input, and its end)");
            }
            all.write(frame.bytes());
        }
    }

    /// From here on the caller's terminal is the program's.
    private void starting(DecisionId id, List<String> notices) {
        try {
            say(Json.object().put("told", notices).put("id", id.value()));
        } catch (IOException _) {
            return; // whoever reads the line hears of it
        }
    }

    private void asked(Question question) {
        try {
            line.write(Frame.of(
                    Frame.Kind.TOLD,
                    Json.object().put("question", question.toJson()).build()));
        } catch (IOException _) {
            return; // whoever reads the line hears of it
        }
    }

    private void stopped() {
        try {
            line.write(Frame.of(Frame.Kind.STOPPED, new byte[0]));
        } catch (IOException _) {
            return; // whoever reads the line hears of it
        }
    }

    private Streams streams(ExecOrder order, Incoming input, LivingCage cage) {
        var budget = new OutputBudget(cage.mostOutput());
        var out = budget.over(new Outgoing(line, Frame.Kind.OUT));
        return order.terminal()
                .<Streams>map(screen ->
                        new Streams.Pty(screen.size().rows(), screen.size().columns(), screen.settings(), input, out))
                .orElseGet(() -> new Streams.Pipes(input, out, budget.over(new Outgoing(line, Frame.Kind.ERR))));
    }

    /// Until the caller is gone, or says what makes no sense.
    private void hear(Incoming input, LivingProgram program) {
        try {
            for (var frame = line.read(); frame.isPresent(); frame = line.read()) {
                hear(frame.get(), input, program);
            }
        } catch (IOException _) {
            // gone
        } finally {
            input.end();
            program.leave();
        }
    }

    private static void hear(Frame frame, Incoming input, LivingProgram program) throws IOException {
        switch (frame.kind()) {
            case INPUT -> input.take(frame.bytes());
            case INPUT_END -> input.end();
            case SIZE -> program.resize(Math.max(1, frame.number() >>> 16), Math.max(1, frame.number() & 0xffff));
            case SIGNAL -> program.signal(Math.clamp(frame.number(), 1, 64));
            case ASK, ANSWER, TOLD, OUT, ERR, STOPPED, ROOM, END ->
                throw new IOException("a frame " + frame.kind() + " (expected: one for a program)");
        }
    }
}
