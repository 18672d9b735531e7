package dev.cagewright.cli.approval;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `cagewright deny ID`.
@Command(name = "deny", description = "Refuses an action that waits.", mixinStandardHelpOptions = true)
public final class DenyCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "ID", description = "The question's id, as cagewright approvals shows it.")
    private String id = "";

    public DenyCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        return new Answering(console, folders).answer(id, new AnswerWord(Reply.Word.REFUSED, new Scope.Once()));
    }
}
