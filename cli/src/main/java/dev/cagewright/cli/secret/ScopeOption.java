package dev.cagewright.cli.secret;

import dev.cagewright.policy.document.CageName;
import dev.cagewright.supervisor.vault.Scope;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Whose secrets.
final class ScopeOption {
    @Option(
            names = "--cage",
            paramLabel = "CAGE",
            description = "For the cage of that name alone (tool: in its policy), before one that is for every cage.")
    private @Nullable String cage;

    boolean isGiven() {
        return cage != null;
    }

    Scope scope() {
        return cage == null ? Scope.USER : Scope.of(new CageName(cage));
    }
}
