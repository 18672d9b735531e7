package dev.cagewright.cli;

import dev.cagewright.cli.approval.ApprovalsCommand;
import dev.cagewright.cli.approval.ApproveCommand;
import dev.cagewright.cli.approval.DenyCommand;
import dev.cagewright.cli.approval.WebhookCommands;
import dev.cagewright.cli.audit.AuditCommands;
import dev.cagewright.cli.audit.CheckpointCommand;
import dev.cagewright.cli.audit.EventsCommand;
import dev.cagewright.cli.audit.PanicCommand;
import dev.cagewright.cli.audit.ProveCommand;
import dev.cagewright.cli.audit.ScheduleCommand;
import dev.cagewright.cli.audit.VerifyProofCommand;
import dev.cagewright.cli.changes.ApplyCommand;
import dev.cagewright.cli.changes.ChangesCommand;
import dev.cagewright.cli.changes.DiscardCommand;
import dev.cagewright.cli.completion.CompletionCommand;
import dev.cagewright.cli.completion.ShellInitCommand;
import dev.cagewright.cli.demo.DemoCommand;
import dev.cagewright.cli.demo.attack.AttackCommand;
import dev.cagewright.cli.evidence.EvidenceCommands;
import dev.cagewright.cli.evidence.ReceiptCommands;
import dev.cagewright.cli.fetch.FetchCommand;
import dev.cagewright.cli.grant.GrantsCommands;
import dev.cagewright.cli.host.DoctorCommand;
import dev.cagewright.cli.life.Background;
import dev.cagewright.cli.life.ExecCommand;
import dev.cagewright.cli.life.LogsCommand;
import dev.cagewright.cli.life.RestartCommand;
import dev.cagewright.cli.life.ShellCommand;
import dev.cagewright.cli.life.StopCommand;
import dev.cagewright.cli.life.SuperviseCommand;
import dev.cagewright.cli.life.SupervisorCommands;
import dev.cagewright.cli.life.UpCommand;
import dev.cagewright.cli.mcp.McpCommands;
import dev.cagewright.cli.named.BackupCommand;
import dev.cagewright.cli.named.DestroyCommand;
import dev.cagewright.cli.named.EditCommand;
import dev.cagewright.cli.named.InitCommand;
import dev.cagewright.cli.named.PruneCommand;
import dev.cagewright.cli.named.RestoreCommand;
import dev.cagewright.cli.named.VerifyCommand;
import dev.cagewright.cli.net.HarCommand;
import dev.cagewright.cli.net.NetCommand;
import dev.cagewright.cli.policy.CheckNetCommand;
import dev.cagewright.cli.policy.ExplainCommand;
import dev.cagewright.cli.policy.ImportCommand;
import dev.cagewright.cli.policy.PolicyCommands;
import dev.cagewright.cli.policy.ReplayCommand;
import dev.cagewright.cli.policy.SuggestCommand;
import dev.cagewright.cli.policy.UnusedCommand;
import dev.cagewright.cli.run.RunCommand;
import dev.cagewright.cli.scaffold.ScaffoldCommands;
import dev.cagewright.cli.secret.LogoutCommand;
import dev.cagewright.cli.secret.SecretCommands;
import dev.cagewright.cli.session.LsCommand;
import dev.cagewright.cli.session.ResumeCommand;
import dev.cagewright.cli.session.WhyCommand;
import dev.cagewright.cli.summary.SummaryCommand;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.cli.token.TokenCommands;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// `cagewright`: the only `main` of the product. Wires the commands by hand and turns what they throw into
/// one line and an exit code.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        // What has to be undone is undone by now, and the ordinary exit begins by looking for a log of exits.
        Runtime.getRuntime().halt(run(Console.ofProcess(System.getenv()), System.getenv(), RawArguments::last, args));
    }

    /// Runs one command line and returns its exit code.
    ///
    /// @param words where the bytes of `args` come from
    static int run(Console console, Map<String, String> environment, RunCommand.Words words, String... args) {
        try {
            return commands(console, environment, words).execute(args);
        } catch (IOException e) {
            console.say(Visible.text(Failures.sentence(e)));
            return ExitCode.NO_CAGE.code();
        }
    }

    /// The same in other folders, for words that never were a command line.
    private static int runInside(
            Console console, Map<String, String> environment, Map<String, String> folders, String... words) {
        var all = new HashMap<>(environment);
        all.putAll(folders);
        var bytes = Arrays.stream(words).map(ByteString::of).toList();
        return run(console, all, count -> bytes.subList(bytes.size() - count, bytes.size()), words);
    }

    private static Commands commands(Console console, Map<String, String> environment, RunCommand.Words words)
            throws IOException {
        var folders = StateFolders.of(environment);
        var commands = new Commands(Main::described, new Failures(console));
        var background = new Background(console, folders, environment);
        commands.add("run", () -> programLast(new RunCommand(console, folders, words).described()))
                .add("init", () -> new InitCommand(console, folders))
                .add("edit", () -> new EditCommand(console, folders, environment))
                .add("verify", () -> verify(console, folders, environment))
                .add("destroy", () -> new DestroyCommand(console, folders))
                .add("prune", () -> new PruneCommand(console, folders))
                .add("backup", () -> new BackupCommand(console, folders))
                .add("restore", () -> new RestoreCommand(console, folders))
                .add("up", () -> new UpCommand(background))
                .add("stop", () -> new StopCommand(background))
                .add("restart", () -> new RestartCommand(background))
                .add("exec", () -> programLast(new ExecCommand(background, words)))
                .add("shell", () -> new ShellCommand(background))
                .add("logs", () -> new LogsCommand(background))
                .add("supervisor", () -> new SupervisorCommands(background))
                .add("supervise", () -> new SuperviseCommand(background))
                .add("policy", () -> policy(console, folders, words, home(environment)))
                .add("check-net", () -> new CheckNetCommand(console, folders))
                .add("doctor", () -> new DoctorCommand(console, folders))
                .add("demo", () -> demo(console, environment))
                .add("approvals", () -> new ApprovalsCommand(console, folders))
                .add("approve", () -> new ApproveCommand(console, folders))
                .add("deny", () -> new DenyCommand(console, folders))
                .add("grants", () -> GrantsCommands.of(console, folders))
                .add("webhook", () -> new WebhookCommands(console, folders))
                .add("why", () -> new WhyCommand(console, folders))
                .add("net", () -> new NetCommand(console, folders))
                .add("summary", () -> new SummaryCommand(console, folders))
                .add("har", () -> new HarCommand(console, folders))
                .add("ls", () -> new LsCommand(console, folders))
                .add("resume", () -> new ResumeCommand(console, folders))
                .add("changes", () -> new ChangesCommand(console, folders))
                .add("apply", () -> new ApplyCommand(console, folders, home(environment)))
                .add("discard", () -> new DiscardCommand(console, folders))
                .add("fetch", () -> new FetchCommand(console, folders))
                .add("token", () -> TokenCommands.of(console, folders))
                .add("audit", () -> audit(console, folders))
                .add("secret", () -> secret(console, folders))
                .add("mcp", () -> McpCommands.of(console, folders, words))
                .add("logout", () -> new LogoutCommand(console, folders))
                .add("scaffold", () -> new ScaffoldCommands(console, folders))
                .add("receipt", () -> new ReceiptCommands(console, folders))
                .add("evidence", () -> new EvidenceCommands(console, folders))
                .add("panic", () -> new PanicCommand(console, folders))
                .add("version", () -> new VersionCommand(console).described())
                .add(
                        "rehearse",
                        () -> new RehearseCommand(console, line -> runInside(console, environment, Map.of(), line)));
        return forShells(commands, console, folders);
    }

    private static Commands forShells(Commands commands, Console console, StateFolders folders) {
        return commands.add("shell-init", () -> new ShellInitCommand(console, folders))
                .add("completion", () -> new CompletionCommand(console, folders, commands::all));
    }

    private static CommandSpec described() {
        var root = CommandText.of("cagewright", new Main(), "Runs any agent, tool or MCP server in a cage.");
        root.usageMessage().synopsisSubcommandLabel("COMMAND");
        return root;
    }

    private static VerifyCommand verify(Console console, StateFolders folders, Map<String, String> environment) {
        return new VerifyCommand(
                console,
                folders,
                (into, changed, line) -> runInside(into, environment, changed, line.toArray(String[]::new)));
    }

    private static Path home(Map<String, String> environment) {
        var home = environment.getOrDefault("HOME", "");
        return Path.of(home.startsWith("/") ? home : "/nonexistent");
    }

    private static CommandLine demo(Console console, Map<String, String> environment) {
        return new CommandLine(
                        new DemoCommand(console, (changed, demo) -> runInside(console, environment, changed, demo)))
                .addSubcommand(new AttackCommand(
                        console, (into, changed, demo) -> runInside(into, environment, changed, demo)));
    }

    private static CommandLine policy(Console console, StateFolders folders, RunCommand.Words words, Path home) {
        return new CommandLine(new PolicyCommands(console, folders))
                .addSubcommand(programLast(new ExplainCommand(console, folders, words)))
                .addSubcommand(new ImportCommand(console, home))
                .addSubcommand(new SuggestCommand(console, folders))
                .addSubcommand(new ReplayCommand(console, folders))
                .addSubcommand(new UnusedCommand(console, folders));
    }

    private static CommandLine audit(Console console, StateFolders folders) {
        return new CommandLine(new AuditCommands(console, folders))
                .addSubcommand(new CheckpointCommand(console, folders))
                .addSubcommand(new ScheduleCommand(console, folders))
                .addSubcommand(new ProveCommand(console, folders))
                .addSubcommand(new VerifyProofCommand(console))
                .addSubcommand(new EventsCommand(console, folders));
    }

    private static CommandLine secret(Console console, StateFolders folders) {
        var commands = new SecretCommands(console, folders);
        var line = new CommandLine(commands);
        commands.more().forEach(line::addSubcommand);
        return line;
    }

    /// What follows the first word that is no option is the program's.
    private static CommandLine programLast(Object command) {
        return new CommandLine(command).setStopAtPositional(true);
    }
}
