package dev.cagewright.cli.token;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.Delegations;
import dev.cagewright.supervisor.token.Delegations.Delegation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `token tree`: who delegated what to whom, from the audit log.
@Command(
        name = "tree",
        description = "Draws who made which token of which, by whom and until when, from the audit log.",
        mixinStandardHelpOptions = true)
final class TreeCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Option(names = "--audit", paramLabel = "LOG", description = "The log; by default the one of your state folder.")
    private Optional<Path> audit = Optional.empty();

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    TreeCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var delegations = Delegations.of(audit.isPresent() ? audit.get().toAbsolutePath() : folders.auditLog());
        if (json) {
            var all = Json.array();
            delegations.all().forEach(one -> all.add(json(one)));
            console.out().println(all.build().write());
            return ExitCode.OK.code();
        }
        for (Delegation root : delegations.roots()) {
            draw(delegations, root, "", "");
        }
        return ExitCode.OK.code();
    }

    private void draw(Delegations all, Delegation one, String first, String rest) {
        var standing = one.isRevoked() ? "  " + console.palette().bad("revoked") : "";
        console.out().println(first + Visible.text(one.text()) + standing);
        List<Delegation> children = all.childrenOf(one);
        for (int i = 0; i < children.size(); i++) {
            boolean isLast = i == children.size() - 1;
            draw(all, children.get(i), rest + (isLast ? "└─ " : "├─ "), rest + (isLast ? "   " : "│  "));
        }
    }

    private static JsonObject json(Delegation one) {
        return Json.object()
                .put("rev", one.rev())
                .put("lineage", one.lineage())
                .put("key", one.key())
                .put("by", one.by())
                .put("time", one.time())
                .put("expires", one.expires())
                .put("revoked", one.isRevoked())
                .put("rights", one.rights())
                .build();
    }
}
