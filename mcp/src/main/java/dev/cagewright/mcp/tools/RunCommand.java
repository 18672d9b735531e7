package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.programs.ProgramNotFoundException;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.UnrecordedOutcomeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/// `run_command`: one program in the cage, from its words to its end.
///
/// @param cage the one that calls share
record RunCommand(ToolGround ground, CallCage cage, ClientAsker asker) implements Tool {
    private static final int MOST_INPUT = 3 << 20;
    private static final int USUAL_OUTPUT = 256 << 10;
    private static final int LONGEST_SECONDS = 6 * 60 * 60;
    private static final int TIMEOUT = 124;
    private static final int NO_CAGE = 125;
    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;

    private static final JsonObject DEFINITION = Tool.definition("""
            {"name": "run_command", "title": "Run a program in the cage",
             "description": "Runs one program in the workspace and returns its exit code and output. argv is an argument list: there is no shell, so no pipes, globs, redirections or && (put these into a script file and run that, where the policy has its interpreter). Files that earlier calls wrote are there; processes that it leaves running are killed when it ends. What the policy does not allow is denied with the reason.",
             "inputSchema": {"type": "object", "additionalProperties": false, "required": ["argv"], "properties": {
               "argv": {"type": "array", "items": {"type": "string"}, "minItems": 1, "description": "The program and its arguments, e.g. [\\"git\\", \\"status\\"]."},
               "cwd": {"type": "string", "description": "The directory it starts in, below the workspace; the workspace by default."},
               "stdin": {"type": "string", "description": "What it reads from standard input; nothing by default."},
               "stdin_encoding": {"enum": ["utf-8", "base64"], "default": "utf-8"},
               "timeout": {"type": "integer", "minimum": 1, "maximum": 21600, "description": "Seconds until it is ended; 120 by default, and never more than the policy says."},
               "max_output": {"type": "integer", "minimum": 1024, "maximum": 4194304, "description": "Bytes of each output that come back; 262144 by default. More is cut out of the middle."}}},
             "outputSchema": {"type": "object", "required": ["exit", "cause", "ran", "stdout", "stderr"], "properties": {
               "exit": {"type": "integer", "description": "0 to 255; 128 + n for death by signal n; 124 when its time was over."},
               "cause": {"type": "string", "description": "exited, signalled, timeout, memory, disk, files, killed, cancelled, not_started, no_program."},
               "ran": {"type": "boolean"},
               "why": {"type": "string", "description": "One sentence where it did not just end."},
               "stdout": {"type": "string"}, "stdout_encoding": {"enum": ["utf-8", "base64"]},
               "stdout_bytes": {"type": "integer", "description": "All that it wrote."},
               "stdout_cut": {"type": "integer", "description": "How many bytes of it are not here."},
               "stderr": {"type": "string"}, "stderr_encoding": {"enum": ["utf-8", "base64"]},
               "stderr_bytes": {"type": "integer"}, "stderr_cut": {"type": "integer"},
               "wall_ms": {"type": "integer"},
               "notices": {"type": "array", "items": {"type": "string"}}}},
             "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}}
            """);

    @Override
    public String name() {
        return "run_command";
    }

    @Override
    public JsonObject definition() {
        return DEFINITION;
    }

    @Override
    public Set<String> arguments() {
        return Set.of("argv", "cwd", "stdin", "stdin_encoding", "timeout", "max_output");
    }

    @Override
    public ToolAnswer call(Arguments arguments, Call call)
            throws DeniedException, ConfinementException, IOException, InterruptedException {
        var input = arguments.content("stdin", "stdin_encoding", MOST_INPUT);
        var seconds = arguments.whole("timeout", 1, LONGEST_SECONDS);
        var limit = ground.patience(
                seconds.isPresent() ? Optional.of(Duration.ofSeconds(seconds.getAsLong())) : Optional.empty());
        int most = ground.mostOutput((int)
                arguments.whole("max_output", 1024, ToolGround.MOST_OUTPUT).orElse(USUAL_OUTPUT));
        var outputs = Outputs.of(most, call);
        var request = ground.request(words(arguments), outputs.streams(input));
        var program = program(request, ground.directory(arguments.optionalText("cwd")));
        requireNoSecret(request);
        var warrant = call.asking(() -> ground.session().pass(program, request));
        ground.witness().allowed(warrant, program);
        var watcher = new CallWatcher(limit);
        call.caller().whenCancelled(watcher::takeBack);
        return answer(warrant, ran(warrant, program, request, watcher, call), outputs, watcher);
    }

    private static List<ByteString> words(Arguments arguments) {
        return arguments.texts("argv").stream().map(ByteString::of).toList();
    }

    /// A program that is named by a relative path is one of the directory it starts in.
    private static Action.ProcExec program(RunRequest request, GuestPath directory) {
        var argv = new ArrayList<>(request.argv());
        if (!argv.isEmpty()
                && argv.getFirst().contains((byte) '/')
                && argv.getFirst().at(0) != '/') {
            argv.set(
                    0, ByteString.of(directory.child(argv.getFirst().toString()).value()));
        }
        return new Action.ProcExec(argv, directory);
    }

    /// The words are in the log, in the list of processes and in the cage.
    private void requireNoSecret(RunRequest request) {
        ground.secrets().shownIn(request.argv()).ifPresent(name -> {
            throw new IllegalArgumentException("argv: holds the value of " + name
                    + " (expected: the variable that holds its decoy in the cage, read there)");
        });
    }

    private RunOutcome ran(Warrant warrant, Action.ProcExec program, RunRequest request, CallWatcher watcher, Call call)
            throws IOException, InterruptedException, ConfinementException {
        RunOutcome outcome;
        try (var part = taken(warrant, program);
                var _ = asker.beside(call.caller())) {
            outcome =
                    part.cage().run(warrant, program, request, ground.witness().before(watcher));
        } catch (UnrecordedOutcomeException e) {
            outcome = e.outcome();
        }
        ground.witness().ended(outcome);
        return outcome;
    }

    private CallCage.Part taken(Warrant warrant, Action.ProcExec program)
            throws IOException, InterruptedException, ConfinementException {
        try {
            return cage.take();
        } catch (ConfinementException e) {
            ground.witness().ended(ground.session().unbuilt(warrant, program, e));
            throw e;
        }
    }

    /// Both outputs of one program.
    private record Outputs(KeptOutput out, KeptOutput err) {
        static Outputs of(int most, Call call) {
            var lines = new AtomicInteger();
            return new Outputs(kept(most, "stdout", call, lines), kept(most, "stderr", call, lines));
        }

        private static KeptOutput kept(int most, String name, Call call, AtomicInteger lines) {
            return new KeptOutput(most, line -> {
                call.caller().log("info", name, line);
                call.caller().progress(lines.incrementAndGet(), OptionalDouble.empty(), line);
            });
        }

        Streams streams(Optional<ByteString> input) {
            InputStream in = input.isPresent()
                    ? new ByteArrayInputStream(input.get().toByteArray())
                    : Streams.Pipes.discarding().in();
            return new Streams.Pipes(in, out, err);
        }
    }

    private static ToolAnswer answer(Warrant warrant, RunOutcome outcome, Outputs outputs, CallWatcher watcher)
            throws ConfinementException {
        return switch (outcome) {
            case RunOutcome.Ended ended -> ended(warrant, ended.exit(), outputs, watcher.notices());
            case RunOutcome.NoProgram missing -> {
                int code = missing.kind() == ProgramNotFoundException.Kind.MISSING ? NOT_FOUND : NOT_EXECUTABLE;
                yield ToolAnswer.failed(
                        missing.reason() + "\ndecision " + warrant.id(),
                        Optional.of(structured(new Ended(code, "no_program", missing.reason(), 0), outputs, List.of())),
                        ToolAnswer.allowed(warrant, code));
            }
            case RunOutcome.NoCage none ->
                ToolAnswer.failed(
                        "there is no cage to run it in: " + none.cause().getMessage() + "; "
                                + none.cause().remedy(),
                        Optional.empty(),
                        ToolAnswer.allowed(warrant, NO_CAGE));
        };
    }

    /// How it ended, as an answer says it.
    private record Ended(int exit, String cause, String why, long wall) {
        static Ended of(Exit exit) {
            int code = exit.cause() == Exit.Cause.TIMEOUT ? TIMEOUT : exit.status();
            return new Ended(
                    code,
                    exit.cause().name().toLowerCase(Locale.ROOT),
                    exit.detail(),
                    exit.usage().wall().toMillis());
        }
    }

    private static ToolAnswer ended(Warrant warrant, Exit exit, Outputs outputs, List<String> notices) {
        var ended = Ended.of(exit);
        var structured = structured(ended, outputs, notices);
        var text = text(ended, outputs, warrant);
        var decision = ToolAnswer.allowed(warrant, ended.exit());
        return exit.cause() == Exit.Cause.EXITED
                ? ToolAnswer.done(text, structured, decision)
                : ToolAnswer.failed(text, Optional.of(structured), decision);
    }

    private static JsonObject structured(Ended ended, Outputs outputs, List<String> notices) {
        var json = Json.object()
                .put("exit", ended.exit())
                .put("cause", ended.cause())
                .put(
                        "ran",
                        !ended.cause().equals("no_program") && !ended.cause().equals("not_started"));
        if (!ended.why().isEmpty()) {
            json.put("why", ended.why());
        }
        outputs.out().put(json, "stdout");
        outputs.err().put(json, "stderr");
        return json.put("wall_ms", ended.wall()).put("notices", notices).build();
    }

    private static String text(Ended ended, Outputs outputs, Warrant warrant) {
        var text = new StringBuilder(shown(outputs.out(), ""));
        var errors = shown(outputs.err(), "stderr:\n");
        if (!errors.isEmpty()) {
            text.append(text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? "" : "\n")
                    .append(errors);
        }
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? "" : "\n")
                .append("[exit ")
                .append(ended.exit());
        if (!ended.cause().equals("exited")) {
            text.append(", ").append(ended.cause());
        }
        if (!ended.why().isEmpty()) {
            text.append(": ").append(ended.why());
        }
        return text.append("; decision ").append(warrant.id()).append(']').toString();
    }

    private static String shown(KeptOutput output, String head) {
        if (output.written() == 0) {
            return "";
        }
        var told = output.told();
        return head + (told.encoding().equals(Told.BASE64) ? "(not UTF-8, in base64) " : "") + told.text();
    }
}
