package dev.cagewright.cli.mcp;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.approval.TerminalPrompt.Keyboard;
import dev.cagewright.cli.run.CallSession;
import dev.cagewright.cli.run.RunOptions;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Signals;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.mcp.tools.ToolAnswer;
import dev.cagewright.mcp.tools.ToolsOffer;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `cagewright mcp call`: one call of one of the product's own tools, as a client's would be.
public final class CallCommand implements Callable<Integer> {
    private static final int MOST_ARGUMENTS = 4 << 20;

    private final Console console;
    private final StateFolders folders;
    private final RunOptions options = new RunOptions();

    private final OptionSpec arguments = CommandText.text(
            "JSON|@FILE|-", "The arguments, an object; @FILE has them, - is standard input; {} by default.", "--args");

    private final OptionSpec json = CommandText.flag("Print the whole result as one JSON object.", "--json");

    private final PositionalParamSpec tool = PositionalParamSpec.builder()
            .type(String.class)
            .arity("1")
            .paramLabel("TOOL")
            .description("run_command, read_file, write_file or http_fetch.")
            .build();

    public CallCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    /// As the command line knows it.
    public CommandSpec described() {
        var command = CommandText.of(
                "call",
                this,
                "Calls one of the tools that mcp serve offers, once, in a session of its own, and prints what it says.",
                options.ofServer());
        command.addOption(arguments).addOption(json).addPositional(tool);
        command.usageMessage()
                .footer(
                        "",
                        "Ends with the exit code of what run_command ran; else 0 done, 1 refused by the",
                        "system, 2 not understood, 3 approval pending, 4 no rule, 5 denied, 124 timeout,",
                        "125 no cage or no answer, 126 not executable, 127 not found.");
        return command;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        String name = tool.getValue();
        var given = CommandText.given(arguments).orElse("{}");
        var params =
                Json.object().put("name", name).put("arguments", parsed(given)).build();
        var what = new CallSession.What(List.of("cagewright", "mcp", "call", name), CallSession.Telling.NOTHING);
        var keyboard = given.equals("-") ? Keyboard.TAKEN : Keyboard.FREE;
        return new ToolServing(console, folders, options).serve(what, keyboard, tools -> called(tools, params));
    }

    private int called(ToolsOffer tools, JsonObject params) throws InterruptedException {
        var caller = new ShellCaller();
        try (var _ = Signals.handOn(_ -> caller.cancel(), () -> {})) {
            return shown(tools.call(params, caller));
        } catch (RpcException e) {
            console.say(Visible.text(String.valueOf(e.getMessage())));
            return ExitCode.USAGE.code();
        }
    }

    private int shown(ToolAnswer answer) {
        if (CommandText.isGiven(json)) {
            console.out().println(answer.json().write());
        } else if (answer.kind() == ToolAnswer.Kind.DONE) {
            console.out().println(printable(answer.text()));
        } else {
            var lines = answer.text().lines().map(Visible::text).toList();
            console.say(lines.getFirst());
            lines.stream().skip(1).forEach(console::more);
        }
        return answer.exit();
    }

    /// What comes out of a cage steers no terminal.
    private static String printable(String text) {
        return Terminal.at(1).isPresent() ? text.lines().map(Visible::text).collect(Collectors.joining("\n")) : text;
    }

    private static JsonObject parsed(String given) throws IOException {
        try {
            if (Json.parse(bytes(given), MOST_ARGUMENTS) instanceof JsonObject object) {
                return object;
            }
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("--args: is not strict JSON: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("--args: (expected: a JSON object)");
    }

    private static byte[] bytes(String given) throws IOException {
        if (given.equals("-")) {
            return bounded(new FileInputStream(FileDescriptor.in));
        }
        if (given.startsWith("@")) {
            try (var in = Files.newInputStream(Path.of(given.substring(1)))) {
                return bounded(in);
            }
        }
        return given.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bounded(InputStream in) throws IOException {
        var all = in.readNBytes(MOST_ARGUMENTS + 1);
        if (all.length > MOST_ARGUMENTS) {
            throw new IOException("--args: more than " + MOST_ARGUMENTS + " bytes");
        }
        return all;
    }
}
