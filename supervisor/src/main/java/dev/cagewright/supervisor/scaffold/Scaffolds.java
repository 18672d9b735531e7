package dev.cagewright.supervisor.scaffold;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The scaffolds that there are: those that come with the product, and the person's own, a folder each with a
/// `scaffold.yaml` and a `policy.yaml`, which come first.
///
/// @param own the folder of the person's, which may be absent
public record Scaffolds(Path own) {
    private static final List<String> BUILT_IN =
            List.of("base", "claude-code", "codex", "gemini", "openclaw", "opencode", "pi");
    private static final String FORM = "scaffold.yaml";
    private static final String POLICY = "policy.yaml";

    /// The names of a scaffold's files, sorted.
    static final List<String> FILES = List.of(POLICY, FORM);

    private static final int MOST_BYTES = 256 << 10;

    /// Those of a person.
    public static Scaffolds of(StateFolders folders) {
        return new Scaffolds(folders.config().resolve("scaffolds"));
    }

    /// Their names, sorted.
    public List<String> names() throws IOException {
        var names = new TreeSet<>(BUILT_IN);
        if (Files.isDirectory(own)) {
            try (var folders = Files.newDirectoryStream(own)) {
                folders.forEach(folder -> names.add(String.valueOf(folder.getFileName())));
            }
        }
        return names.stream().filter(name -> name.matches(Scaffold.NAME)).toList();
    }

    /// Is there one of this name?
    public boolean has(String name) {
        return name.matches(Scaffold.NAME)
                && (BUILT_IN.contains(name) || Files.isDirectory(own.resolve(name), LinkOption.NOFOLLOW_LINKS));
    }

    /// Is it the product's own?
    public boolean isBuiltIn(String name) {
        return BUILT_IN.contains(name) && !Files.isDirectory(own.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    /// The scaffold of this name.
    ///
    /// @throws PolicySyntaxException with everything that is wrong with one of its files
    /// @throws IOException if there is none, or it cannot be read
    public Scaffold find(String name) throws IOException, PolicySyntaxException {
        if (!has(name)) {
            throw new NoSuchFileException("there is no scaffold \"" + ByteString.of(name) + "\" (expected: one of "
                    + String.join(", ", names()) + ", or a program behind --)");
        }
        var scaffold = isBuiltIn(name) ? builtIn(name) : ofFolder(own.resolve(name));
        if (!scaffold.name().equals(name)) {
            throw new IOException("scaffold " + name + ": its " + FORM + " says name: " + scaffold.name()
                    + " (expected: the folder's name)");
        }
        return scaffold;
    }

    private Scaffold builtIn(String name) throws PolicySyntaxException {
        var policy = LoadedPolicy.of(own.resolve(name).resolve(POLICY), "scaffold " + name, text(name, POLICY));
        var form = text(name, FORM).getBytes(StandardCharsets.UTF_8);
        return ScaffoldFile.read("scaffold " + name, form, policy);
    }

    private static Scaffold ofFolder(Path folder) throws IOException, PolicySyntaxException {
        var form = folder.resolve(FORM);
        return ScaffoldFile.read(
                ByteString.of(form.toString()).printable(),
                Files.readAllBytes(form),
                PolicyFiles.load(folder.resolve(POLICY)));
    }

    /// The files of a scaffold as they are, by their names, for whoever shows or copies one.
    ///
    /// @throws IOException if there is none, or it cannot be read
    public List<NamedText> files(String name) throws IOException {
        if (!isBuiltIn(name)) {
            return filesIn(own.resolve(name));
        }
        return FILES.reversed().stream()
                .map(file -> new NamedText(file, text(name, file)))
                .toList();
    }

    /// The files of a scaffold in a folder of anybody's; follows no links below it.
    ///
    /// @throws IOException if one is missing, too large or no text
    public static List<NamedText> filesIn(Path folder) throws IOException {
        var files = new ArrayList<NamedText>();
        for (String file : FILES.reversed()) {
            var bytes = OwnerFile.read(folder.resolve(file), MOST_BYTES);
            files.add(new NamedText(
                    file,
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString()));
        }
        return files;
    }

    /// What a scaffold of these texts would be.
    ///
    /// @param shown where they are, for messages, printable
    /// @throws PolicySyntaxException with everything that is wrong with one of them
    /// @throws BadPolicyException if the policy contradicts itself
    public Scaffold of(String shown, List<NamedText> files) throws PolicySyntaxException, BadPolicyException {
        var texts = files.stream().collect(Collectors.toMap(NamedText::name, NamedText::text));
        var policy = LoadedPolicy.of(own.resolve(POLICY), shown + "/" + POLICY, texts.getOrDefault(POLICY, ""));
        CompiledPolicy.compile(policy.document());
        var form = texts.getOrDefault(FORM, "").getBytes(StandardCharsets.UTF_8);
        return ScaffoldFile.read(shown + "/" + FORM, form, policy);
    }

    /// Puts a new one among the person's own, whole or not at all.
    ///
    /// @return its folder
    /// @throws IOException if one of this name is there, or it cannot be written
    public Path add(String name, List<NamedText> files) throws IOException {
        var folder = own.resolve(name);
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(
                    folder.toString(),
                    null,
                    "is there already (expected: another name, or" + " that folder moved away)");
        }
        Files.createDirectories(own);
        var fresh = Files.createTempDirectory(own, ".new-");
        try {
            for (NamedText file : files) {
                OwnerFile.write(fresh.resolve(file.name()), file.text().getBytes(StandardCharsets.UTF_8));
            }
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            for (NamedText file : files) {
                Files.deleteIfExists(fresh.resolve(file.name()));
            }
            Files.deleteIfExists(fresh);
        }
        OwnerFile.flushName(folder);
        return folder;
    }

    /// Puts a text in the place of one of a person's own, whole or not at all.
    ///
    /// @throws IOException if it cannot be written
    public void replace(String name, NamedText file) throws IOException {
        OwnerFile.write(own.resolve(name).resolve(file.name()), file.text().getBytes(StandardCharsets.UTF_8));
    }

    /// A file of a scaffold.
    public record NamedText(String name, String text) {}

    private static String text(String name, String file) {
        var resource = name + "." + file;
        try (InputStream in = Objects.requireNonNull(
                Scaffolds.class.getResourceAsStream(resource), resource + " (expected: in the jar)")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(resource + " (expected: readable in the jar)", e);
        }
    }
}
