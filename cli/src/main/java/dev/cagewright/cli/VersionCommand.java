package dev.cagewright.cli;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.terminal.Console;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// `cagewright version`: what this is and what it stands on.
final class VersionCommand implements Callable<Integer> {
    private final Console console;

    private final OptionSpec json = CommandText.flag("Print one JSON object.", "--json");

    VersionCommand(Console console) {
        this.console = console;
    }

    /// As the command line knows it.
    CommandSpec described() {
        return CommandText.of("version", this, "Prints the versions of the product, the JVM and the kernel.", json);
    }

    @Override
    public Integer call() {
        var product = Optional.ofNullable(Main.class.getModule().getDescriptor())
                .flatMap(module -> module.rawVersion())
                .orElse("0.1.0");
        var jvm = Runtime.version().toString();
        var kernel = System.getProperty("os.version", "?") + " " + System.getProperty("os.arch", "?");
        console.out()
                .println(
                        CommandText.isGiven(json)
                                ? Json.object()
                                        .put("version", product)
                                        .put("java", jvm)
                                        .put("kernel", kernel)
                                        .build()
                                        .write()
                                : "cagewright " + product + "\njava " + jvm + "\nlinux " + kernel);
        return ExitCode.OK.code();
    }
}
