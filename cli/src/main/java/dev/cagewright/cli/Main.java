package dev.cagewright.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `cagewright`: the only `main` of the product.
@Command(
        name = "cagewright",
        description = "Runs any agent, tool or MCP server in a cage.",
        mixinStandardHelpOptions = true,
        version = "cagewright 0.1.0")
public final class Main {
    Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
