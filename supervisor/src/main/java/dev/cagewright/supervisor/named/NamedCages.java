package dev.cagewright.supervisor.named;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.scaffold.AgentHome;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/// The named cages of a person: a folder each, `cages/NAME/` of the configuration folder, with `policy.yaml`, a policy
/// like any other, and `cage.yaml`. Reads them anew at each call. Safe for all threads and processes.
///
/// @param folders the person's
public record NamedCages(StateFolders folders) {
    private static final String FORM = "cage.yaml";
    private static final String POLICY = "policy.yaml";

    /// Those of a person.
    public static NamedCages of(StateFolders folders) {
        return new NamedCages(folders);
    }

    private Path all() {
        return folders.config().resolve("cages");
    }

    /// Where the files of one are, or would be.
    public Path folder(String name) {
        return all().resolve(NamedCage.requireName(name));
    }

    /// Its `cage.yaml`.
    public Path form(String name) {
        return folder(name).resolve(FORM);
    }

    /// Its `policy.yaml`.
    public Path policyFile(String name) {
        return folder(name).resolve(POLICY);
    }

    /// What the product keeps of it while it lives and between: a folder, created 0700.
    public Path state(String name) throws IOException {
        return folders.cage(NamedCage.requireName(name));
    }

    /// Its home, which lasts: no scaffold's name has a full stop in it.
    public AgentHome home(String name) {
        return new AgentHome(folders.homes().resolve("cage." + NamedCage.requireName(name)));
    }

    /// Their names, sorted; those that cannot be read, too.
    public List<String> names() throws IOException {
        var names = new TreeSet<String>();
        if (Files.isDirectory(all())) {
            try (var found = Files.newDirectoryStream(all(), NamedCages::isOne)) {
                found.forEach(folder -> names.add(String.valueOf(folder.getFileName())));
            }
        }
        return List.copyOf(names);
    }

    private static boolean isOne(Path folder) {
        return String.valueOf(folder.getFileName()).matches(NamedCage.NAME)
                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    /// Is there one of this name?
    public boolean has(String name) {
        return name.matches(NamedCage.NAME) && isOne(folder(name));
    }

    /// The cage of this name.
    ///
    /// @throws PolicySyntaxException with everything that is wrong with its `cage.yaml`
    /// @throws NoSuchFileException if there is none; the message says which there are
    /// @throws IOException if it cannot be read, or others could have written it
    public NamedCage find(String name) throws IOException, PolicySyntaxException {
        requireThere(name);
        PolicyFiles.requireOwn(form(name));
        return read(name, OwnerFile.read(form(name), SourceText.MAX_BYTES));
    }

    /// What `bytes` would say as the `cage.yaml` of this name.
    ///
    /// @throws PolicySyntaxException with everything that is wrong
    /// @throws NotOfThisCageException if they speak of another cage
    public NamedCage read(String name, byte[] bytes) throws NotOfThisCageException, PolicySyntaxException {
        var cage = CageFile.read(shown(form(name)), bytes);
        if (!cage.name().equals(name)) {
            throw new NotOfThisCageException(
                    shown(form(name)) + ": name: " + cage.name() + " (expected: " + name + ", the name of its folder)");
        }
        return cage;
    }

    /// The policy of this cage.
    ///
    /// @throws PolicySyntaxException with everything that is wrong in it
    /// @throws NoSuchFileException if there is no such cage; the message says which there are
    /// @throws IOException if it cannot be read, others could have written it, or it is another tool's
    public LoadedPolicy policy(String name) throws IOException, PolicySyntaxException {
        requireThere(name);
        PolicyFiles.requireOwn(policyFile(name));
        return requireOf(name, PolicyFiles.load(policyFile(name)));
    }

    /// The same, if it is the policy of the cage of this name.
    ///
    /// @throws NotOfThisCageException if it is another's
    public LoadedPolicy requireOf(String name, LoadedPolicy policy) throws NotOfThisCageException {
        var tool = policy.document().tool();
        if (tool.filter(one -> one.value().equals(name)).isEmpty()) {
            throw new NotOfThisCageException(policy.name() + ": tool: "
                    + tool.map(one -> one.value()).orElse("(none)") + " (expected: tool: " + name
                    + ", the cage's name)");
        }
        return policy;
    }

    /// Refuses a name that no cage has.
    ///
    /// @throws NoSuchFileException if it is so; the message says which there are
    public void requireThere(String name) throws IOException {
        NamedCage.requireName(name);
        if (!has(name)) {
            var names = names();
            throw new NoSuchFileException(
                    "cage " + name,
                    null,
                    "there is none (expected: "
                            + (names.isEmpty() ? "" : "one of " + String.join(", ", names) + "; or ")
                            + "cagewright init " + name + ", which makes it)");
        }
    }

    /// The texts of a cage's two files.
    ///
    /// @param form of `cage.yaml`
    public record Texts(String form, String policy) {}

    /// Makes a cage; its files are whole when its folder has its name.
    ///
    /// @param policy the text of its policy
    /// @throws PolicySyntaxException with everything that is wrong in `policy`
    /// @throws FileAlreadyExistsException if there is one of the name
    /// @throws IOException if it cannot be written, or the policy is another's
    public void create(NamedCage cage, String policy) throws IOException, PolicySyntaxException {
        make(cage.name(), new Texts(CageFile.write(cage), policy));
    }

    /// What the texts of a cage that was called `before` would say as one that is called `name`.
    ///
    /// @throws PolicySyntaxException with everything that is wrong with its `cage.yaml`
    /// @throws NotOfThisCageException if they speak of a third one
    public NamedCage draft(String before, String name, Texts texts)
            throws NotOfThisCageException, PolicySyntaxException {
        NamedCage.requireName(name);
        var cage = read(before, texts.form().getBytes(StandardCharsets.UTF_8));
        return new NamedCage(name, cage.workspace(), cage.scaffold(), cage.secrets(), cage.publish());
    }

    /// Makes a cage of texts that may be those of another name; they stay as they are where nothing is other.
    ///
    /// @throws PolicySyntaxException with everything that is wrong with one of them
    /// @throws FileAlreadyExistsException if there is one of the name
    /// @throws IOException if it cannot be written
    public void create(NamedCage cage, Texts texts) throws IOException, PolicySyntaxException {
        var same = CageFile.read(shown(form(cage.name())), texts.form().getBytes(StandardCharsets.UTF_8));
        var form = same.equals(cage) ? texts.form() : CageFile.write(cage);
        var policy =
                same.name().equals(cage.name()) ? texts.policy() : FirstPolicy.renamed(texts.policy(), cage.name());
        make(cage.name(), new Texts(form, policy));
    }

    private void make(String name, Texts texts) throws IOException, PolicySyntaxException {
        var folder = folder(name);
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(folder.toString());
        }
        requireOf(name, LoadedPolicy.of(policyFile(name), shown(policyFile(name)), texts.policy()));
        Files.createDirectories(all());
        var fresh = Files.createTempDirectory(all(), ".new-"); // 0700, and no name of a cage
        try {
            OwnerFile.write(fresh.resolve(POLICY), texts.policy().getBytes(StandardCharsets.UTF_8));
            OwnerFile.write(fresh.resolve(FORM), texts.form().getBytes(StandardCharsets.UTF_8));
            Files.move(fresh, folder); // rename(2): refuses a folder that has files, and one without is nobody's
        } catch (IOException e) {
            clear(fresh);
            throw e;
        }
        OwnerFile.flushName(folder);
    }

    /// Removes the files that a person wrote, and nothing else of it; what else lies in the folder stays and is told.
    ///
    /// @throws IOException if something cannot be removed
    public void remove(String name) throws IOException {
        requireThere(name);
        clear(folder(name));
    }

    private static void clear(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(FORM));
        Files.deleteIfExists(folder.resolve(POLICY));
        Files.deleteIfExists(folder);
    }

    private static String shown(Path file) {
        return ByteString.of(file.toString()).printable();
    }
}
