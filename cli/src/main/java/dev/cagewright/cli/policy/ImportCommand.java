package dev.cagewright.cli.policy;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.imports.Format;
import dev.cagewright.supervisor.imports.ImportException;
import dev.cagewright.supervisor.imports.Places;
import dev.cagewright.supervisor.imports.PolicyImport;
import dev.cagewright.supervisor.imports.Remark;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright policy import`: a policy of another tool as one of this product, and what could not be carried over.
@Command(
        name = "import",
        description =
                "Makes a policy of another tool's that grants the same or less, and says what could not be carried"
                        + " over: agentcage's cage.yaml, toolcage's policies, sandbox-runtime's JSON, Codex's config.toml.",
        mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
    private final Console console;
    private final Path home;

    @Parameters(paramLabel = "FILE", description = "The other tool's file.")
    @SuppressWarnings("FieldCanBeFinal")
    private Path file = Path.of("");

    @Option(
            names = "--from",
            paramLabel = "TOOL",
            description = "agentcage, toolcage, sandbox-runtime or codex; told by its keys when left out.")
    @SuppressWarnings("FieldCanBeFinal")
    private Optional<String> from = Optional.empty();

    @Option(names = "--profile", paramLabel = "NAME", description = "The profile of Codex's that is meant.")
    @SuppressWarnings("FieldCanBeFinal")
    private Optional<String> profile = Optional.empty();

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "Where to, a file that is not there yet; standard output when left out.")
    @SuppressWarnings("FieldCanBeFinal")
    private Optional<Path> out = Optional.empty();

    /// @param home of the person; what `~` means in the other tool's file
    public ImportCommand(Console console, Path home) {
        this.console = console;
        this.home = home;
    }

    @Override
    public Integer call() throws IOException {
        var format = from.map(Format::parse);
        var name = ByteString.of(file.toString()).printable();
        PolicyImport made;
        try {
            made = PolicyImport.of(
                    new PolicyImport.Wish(name, format, profile), bytes(), new Places(home, Path.of("")));
        } catch (ImportException e) {
            String.valueOf(e.getMessage()).lines().map(Visible::text).forEach(console::say);
            return ExitCode.CHECK_FAILED.code();
        }
        write(made);
        tell(made);
        return ExitCode.OK.code();
    }

    /// One more than is read, so that a larger file is refused by its size.
    private byte[] bytes() throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException(file + ": no regular file");
        }
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(SourceText.MAX_BYTES + 1);
        }
    }

    private void write(PolicyImport made) throws IOException {
        if (out.isPresent()) {
            Files.writeString(out.get(), made.text(), StandardOpenOption.CREATE_NEW);
            console.out().println(Visible.text(out.get().toString()));
        } else {
            console.out().print(made.text());
        }
    }

    private void tell(PolicyImport made) {
        var remarks = made.remarks();
        console.say("a policy of " + made.format().word() + ": "
                + (remarks.isEmpty()
                        ? "all of it is carried over"
                        : remarks.size() + " things are not carried over as they were"));
        remarks.stream()
                .limit(PolicyImport.MOST_REMARKS)
                .map(Remark::toString)
                .map(Visible::text)
                .forEach(console::more);
        if (remarks.size() > PolicyImport.MOST_REMARKS) {
            console.more("... and " + (remarks.size() - PolicyImport.MOST_REMARKS) + " more");
        }
        for (String secret : made.secrets()) {
            console.more("before it runs: cagewright secret set " + Visible.text(secret) + " --use-with HOST");
        }
    }
}
