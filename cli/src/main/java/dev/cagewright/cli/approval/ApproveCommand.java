package dev.cagewright.cli.approval;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright approve ID`.
@Command(name = "approve", description = "Agrees to an action that waits.", mixinStandardHelpOptions = true)
public final class ApproveCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "ID", description = "The question's id, as cagewright approvals shows it.")
    private String id = "";

    @Option(names = "--for-run", description = "Agree to whatever the same rule asks for in this run.")
    private boolean forRun;

    @Option(names = "--for", paramLabel = "TIME", description = "The same, for a time: 10m, at most 24h.")
    private Optional<String> time = Optional.empty();

    public ApproveCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        return new Answering(console, folders).answer(id, new AnswerWord(Reply.Word.AGREED, scope()));
    }

    private Scope scope() {
        if (forRun && time.isPresent()) {
            throw new IllegalArgumentException("--for-run and --for exclude each other (expected: one of them)");
        }
        return time.map(Scope::parse).orElseGet(() -> forRun ? new Scope.ThisRun() : new Scope.Once());
    }
}
