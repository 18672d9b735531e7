package dev.cagewright.cli.life;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.run.RunCommand;
import dev.cagewright.cli.run.RunStreams;
import dev.cagewright.cli.run.Steerable;
import dev.cagewright.cli.run.Steering;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.sandbox.terminal.TerminalSize;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.resident.Ends;
import dev.cagewright.supervisor.resident.ExecOrder;
import dev.cagewright.supervisor.resident.RefusedException;
import dev.cagewright.supervisor.resident.RemoteProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright exec`: one program in a named cage that is up.
@Command(
        name = "exec",
        description = {
            "Runs a program in a named cage that is up: judged by its policy, recorded in its session.",
            "It ends with this command; what it left running lives as long as the cage."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "The exit code is the program's own; else 3 approval pending, 4 no rule,",
            "5 denied, 124 timeout, 125 no cage, 126 not executable, 127 not found."
        })
public final class ExecCommand implements Callable<Integer> {
    private static final int SIGNALLED = 128;

    private final Background background;
    private final RunCommand.Words words;

    @Option(names = "--no-terminal", description = "Pipes even where this is a terminal.")
    private boolean noTerminal;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(
            arity = "1..*",
            paramLabel = "NAME -- PROGRAM ARG...",
            description = "The cage, and what to run in it, taken byte for byte.")
    private List<String> given = new ArrayList<>();

    public ExecCommand(Background background, RunCommand.Words words) {
        this.background = background;
        this.words = words;
    }

    @Override
    public Integer call() throws IOException {
        int before = given.size() > 1 && given.get(1).equals("--") ? 2 : 1;
        if (given.size() == before) {
            throw new IllegalArgumentException("no program (expected: cagewright exec " + given.getFirst()
                    + " -- PROGRAM ARG..., or cagewright shell " + given.getFirst() + ")");
        }
        return exec(
                background, given.getFirst(), words.last(given.size() - before), noTerminal ? Wish.PIPES : Wish.USUAL);
    }

    /// What the program gets.
    enum Wish {
        /// A terminal where this process has one.
        USUAL,
        PIPES
    }

    static int exec(Background background, String name, List<ByteString> argv, Wish wish) throws IOException {
        NamedCage.requireName(name);
        var streams = streams(wish);
        var approval = new Approval(background);
        var order = new ExecOrder(name, argv, CallerEnvironment.read(), screen(streams.streams()), approval.presence());
        var client = background.found(name);
        try (var program = client.exec(order, streams.streams())) {
            return switch (started(program, approval)) {
                case RemoteProgram.Started.Never(Ends ends) -> told(background, ends);
                case RemoteProgram.Started.Starts _ -> told(background, steered(program, streams));
            };
        } catch (RefusedException e) {
            return code(background, e);
        }
    }

    /// Until it starts, signals are this command's own: who waits for an approval can go away.
    private static RemoteProgram.Started started(RemoteProgram program, Approval approval) throws IOException {
        try (approval) {
            program.whenAsked(approval);
            return program.started();
        }
    }

    private static Ends steered(RemoteProgram program, RunStreams streams) throws IOException {
        try (var steering = new Steering(streams)) {
            steering.ready();
            Ends ends;
            try (var _ = steering.of(steerable(program))) {
                ends = program.await();
            }
            calm(streams, ends);
            return ends;
        }
    }

    private static int code(Background background, RefusedException refused) {
        int code = background.refused(refused);
        return refused.denial()
                .flatMap(report -> Arrays.stream(DenyCode.values())
                        .filter(one -> one.name().equals(report.code()))
                        .findFirst())
                .map(one -> ExitCode.of(one).code())
                .orElse(code);
    }

    /// A program that was killed may have left the person's screen in any state.
    private static void calm(RunStreams streams, Ends ends) throws IOException {
        if (streams instanceof RunStreams.Terminals terminals && ends.code() > SIGNALLED) {
            terminals.calm();
        }
    }

    private static int told(Background background, Ends ends) {
        ends.told().forEach(sentence -> background.console().say(Visible.text(sentence)));
        return ends.code();
    }

    private static Steerable steerable(RemoteProgram program) {
        return new Steerable() {
            @Override
            public void resize(int rows, int columns) {
                program.resize(rows, columns);
            }

            @Override
            public void signal(int signal) {
                program.signal(signal);
            }

            @Override
            public void whenStopped(Runnable told) {
                program.whenStopped(told);
            }
        };
    }

    private static RunStreams streams(Wish wish) {
        boolean isTerminal = wish == Wish.USUAL
                && Terminal.at(0).isPresent()
                && Terminal.at(1).isPresent();
        return isTerminal ? new RunStreams.Terminals() : RunStreams.Piped.throughOwn();
    }

    private static Optional<ExecOrder.Screen> screen(Streams streams) {
        return switch (streams) {
            case Streams.Pty pty ->
                Optional.of(new ExecOrder.Screen(new TerminalSize(pty.rows(), pty.columns()), pty.settings()));
            case Streams.Pipes _ -> Optional.empty();
        };
    }
}
