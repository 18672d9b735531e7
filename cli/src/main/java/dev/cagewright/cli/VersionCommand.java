package dev.cagewright.cli;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.terminal.Console;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `cagewright version`: what this is and what it stands on.
@Command(
        name = "version",
        description = "Prints the versions of the product, the JVM and the kernel.",
        mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer> {
    private final Console console;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    VersionCommand(Console console) {
        this.console = console;
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
                        json
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
