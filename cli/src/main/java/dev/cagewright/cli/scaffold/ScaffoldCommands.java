package dev.cagewright.cli.scaffold;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.Scaffold;
import dev.cagewright.supervisor.scaffold.ScaffoldArchive;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.scaffold.Scaffolds.NamedText;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright scaffold ...`.
@Command(
        name = "scaffold",
        description = "Lists, shows, makes and shares scaffolds: what `run NAME` needs to know of an agent.",
        mixinStandardHelpOptions = true)
public final class ScaffoldCommands {
    private final Console console;
    private final StateFolders folders;
    private final Scaffolds scaffolds;

    public ScaffoldCommands(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
        this.scaffolds = Scaffolds.of(folders);
    }

    @Command(name = "list", description = "Lists all, yours too.", mixinStandardHelpOptions = true)
    int list(@Option(names = "--json", description = "Print one JSON array.") boolean json)
            throws IOException, PolicySyntaxException {
        var all = Json.array();
        for (String name : scaffolds.names()) {
            var scaffold = scaffolds.find(name);
            var whose = whose(name);
            if (json) {
                all.add(Json.object()
                        .put("name", name)
                        .put("whose", whose)
                        .put("about", scaffold.about())
                        .put("program", scaffold.program())
                        .put("install", scaffold.install())
                        .put(
                                "secrets",
                                scaffold.secrets().stream()
                                        .map(Credential::name)
                                        .toList())
                        .build());
            } else {
                console.out().println(row(scaffold, whose));
            }
        }
        if (json) {
            console.out().println(all.build().write());
        }
        return ExitCode.OK.code();
    }

    private static String row(Scaffold scaffold, String whose) {
        return String.format(Locale.ROOT, "%-16s  %-8s  %s", scaffold.name(), whose, Visible.text(scaffold.about()));
    }

    @Command(
            name = "show",
            description = "Says what one is: whom it reaches and why, what it is refused, what it finds.",
            mixinStandardHelpOptions = true)
    int show(
            @Parameters(paramLabel = "NAME", description = "The scaffold.") String name,
            @Option(
                            names = "--file",
                            paramLabel = "FILE",
                            description = "Print scaffold.yaml or policy.yaml instead, as it is.")
                    Optional<String> file)
            throws IOException, PolicySyntaxException {
        var scaffold = scaffolds.find(name);
        if (file.isPresent()) {
            text(name, file.get()).lines().map(Visible::text).forEach(console.out()::println);
            return ExitCode.OK.code();
        }
        console.out().println(row(scaffold, whose(name)).strip());
        ScaffoldText.of(scaffold).forEach(console.out()::println);
        return ExitCode.OK.code();
    }

    private String text(String name, String file) throws IOException {
        return scaffolds.files(name).stream()
                .filter(one -> one.name().equals(file))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--file: \"" + Visible.text(file) + "\" (expected: scaffold.yaml or policy.yaml)"))
                .text();
    }

    private String whose(String name) {
        return scaffolds.isBuiltIn(name) ? "built-in" : "yours";
    }

    @Command(
            name = "create",
            description = "Starts one of your own from another, as files to edit.",
            mixinStandardHelpOptions = true)
    int create(
            @Parameters(paramLabel = "NAME", description = "Its name; one of the product's puts yours before it.")
                    String name,
            @Option(names = "--from", defaultValue = "base", paramLabel = "NAME", description = "The other; base.")
                    String from)
            throws IOException, PolicySyntaxException {
        requireName(name);
        scaffolds.find(from);
        var files = scaffolds.files(from).stream()
                .map(file -> new NamedText(file.name(), renamed(file.text(), from, name)))
                .toList();
        console.out().println(Visible.text(scaffolds.add(name, files).toString()));
        scaffolds.find(name);
        return ExitCode.OK.code();
    }

    @Command(
            name = "edit",
            description = "Opens one of yours in $VISUAL or $EDITOR; what is wrong does not take its place.",
            mixinStandardHelpOptions = true)
    int edit(
            @Parameters(paramLabel = "NAME", description = "The scaffold.") String name,
            @Option(
                            names = "--file",
                            defaultValue = "scaffold.yaml",
                            paramLabel = "FILE",
                            description = "scaffold.yaml, the default, or policy.yaml.")
                    String file)
            throws IOException, InterruptedException {
        if (!scaffolds.has(name)) {
            throw new IllegalArgumentException("scaffold: there is no \"" + Visible.text(name) + "\" (expected: one of "
                    + String.join(", ", scaffolds.names()) + ")");
        }
        return new ScaffoldEdit(console, scaffolds, name, file)
                .run(System.getenv())
                .code();
    }

    private static void requireName(String name) {
        if (!name.matches(Scaffold.NAME)) {
            throw new IllegalArgumentException("scaffold: \"" + Visible.text(name)
                    + "\" (expected: small letters, digits and '-', a letter first, at most 32)");
        }
    }

    @Command(
            name = "export",
            description = "Writes one into a file for somebody else, signed.",
            mixinStandardHelpOptions = true)
    int export(
            @Parameters(paramLabel = "NAME", description = "The scaffold.") String name,
            @Option(
                            names = {"-o", "--output"},
                            required = true,
                            paramLabel = "FILE",
                            description = "Where to; must not be there.")
                    Path output,
            @Option(
                            names = "--key",
                            paramLabel = "SECRET",
                            description = "The key to sign with, of audit keygen; by default that of your receipts.")
                    Optional<Path> key)
            throws IOException, PolicySyntaxException {
        scaffolds.find(name);
        var signer = SharedScaffold.signer(folders, key);
        var bytes = ScaffoldArchive.sign(name, scaffolds.files(name), signer);
        Files.write(output, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        console.say("signed by " + signer.publicKey().hex() + "; whoever takes it needs to know that this is you");
        return ExitCode.OK.code();
    }

    @Command(
            name = "import",
            description = "Takes one from a folder, or from a file that somebody signed whom you trust.",
            mixinStandardHelpOptions = true)
    int take(
            @Parameters(paramLabel = "FILE|FOLDER", description = "Of scaffold export, or with its two files.")
                    Path place,
            @Option(
                            names = "--trust",
                            paramLabel = "KEY",
                            description = "Who may have signed: a public key's file or its 64 digits.")
                    Optional<String> trust,
            @Option(names = "--as", paramLabel = "NAME", description = "Another name for it here.") Optional<String> as)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var shared = SharedScaffold.read(place, folders, trust);
        var name = as.orElse(shared.name());
        requireName(name);
        var files = shared.files().stream()
                .map(file -> new NamedText(file.name(), renamed(file.text(), shared.name(), name)))
                .toList();
        var scaffold = scaffolds.of(Visible.text(place.toString()), files);
        if (!scaffold.name().equals(name)) {
            throw new IOException("scaffold.yaml says name: " + scaffold.name() + " (expected: " + name + ")");
        }
        var folder = scaffolds.add(name, files);
        console.say(shared.from());
        console.say("kept in " + Visible.text(folder.toString()) + "; below your organisation's policy and your own:");
        ScaffoldText.of(scaffold).forEach(console.out()::println);
        return ExitCode.OK.code();
    }

    private static String renamed(String text, String from, String name) {
        return text.replaceFirst("(?m)^(name|tool): " + from + "$", "$1: " + name);
    }
}
