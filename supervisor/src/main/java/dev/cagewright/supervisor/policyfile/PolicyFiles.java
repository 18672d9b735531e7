package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;

/// Finds and reads policy files. A file is read once; what is judged later is what was read then. A name
/// without a slash means a file of the person's own folder, never one of the folder a command happens to run in.
///
/// @param organisation the administrator's file, which may be absent
/// @param user the person's file, which may be absent
/// @param named the folder of the person's named policies, which may be absent
public record PolicyFiles(Path organisation, Path user, Path named) {
    private static final Path ORGANISATION = Path.of("/etc/cagewright/policy.yaml");
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";

    /// `S_IWOTH` and `S_ISVTX`, sys/stat.h.
    private static final int WRITABLE_FOR_ALL = 0002;

    private static final int STICKY = 01000;

    /// The usual places: `/etc/cagewright/policy.yaml`, and `policy.yaml` and `policies/` in the person's folder.
    public static PolicyFiles of(StateFolders folders) {
        return new PolicyFiles(
                ORGANISATION,
                folders.config().resolve("policy.yaml"),
                folders.config().resolve("policies"));
    }

    /// What a person means by `argument`: a path if it has a slash, else the policy of that name.
    ///
    /// @throws IOException if there is no such file or it cannot be read; the message says what to do
    public LoadedPolicy find(String argument) throws PolicySyntaxException, IOException {
        if (argument.indexOf('/') < 0) {
            return loadNamed(argument);
        }
        try {
            return load(Path.of(argument));
        } catch (InvalidPathException e) {
            throw new IOException("policy: " + ByteString.of(argument) + " is not a path", e);
        }
    }

    /// The policy of a run that names none: the person's own `default`, else [PolicyTemplates#usual].
    ///
    /// @throws IOException if the person's default is there and cannot be read
    public LoadedPolicy usual() throws PolicySyntaxException, IOException {
        if (Files.exists(named.resolve("default.yaml"), LinkOption.NOFOLLOW_LINKS)) {
            return loadNamed("default");
        }
        return UsualPolicy.at(named.resolve("default.yaml"));
    }

    private LoadedPolicy loadNamed(String name) throws PolicySyntaxException, IOException {
        var bare = name.endsWith(".yaml") ? name.substring(0, name.length() - ".yaml".length()) : name;
        if (!bare.matches(NAME)) {
            throw new IOException("policy: \"" + ByteString.of(name)
                    + "\" is no name (expected: letters, digits, '.', '_' and '-', or a path with a slash)");
        }
        var file = named.resolve(bare + ".yaml");
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(
                    "policy: no policy named \"" + bare + "\" in " + ByteString.of(named.toString())
                            + " (expected: its name, or a path with a slash such as ./" + bare + ".yaml)");
        }
        requireOwn(file);
        return load(file);
    }

    /// The administrator's and the person's file where they exist, and `project`.
    ///
    /// @throws IOException if one exists and cannot be read, or others could have written it
    public PolicyLayers layersOver(Optional<LoadedPolicy> project) throws PolicySyntaxException, IOException {
        return new PolicyLayers(loadLayer(organisation), loadLayer(user), project);
    }

    private static Optional<LoadedPolicy> loadLayer(Path file) throws PolicySyntaxException, IOException {
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        requireOwn(file);
        return Optional.of(load(file));
    }

    /// A file that speaks for the person must be theirs or root's, and nobody else may write or replace it.
    ///
    /// @throws IOException if it is not so, or nothing is there
    public static void requireOwn(Path file) throws IOException {
        var real = real(file);
        var folder = Objects.requireNonNull(real.getParent(), "policy: a root folder (expected: a file)");
        int mode = (int) Files.getAttribute(real, "unix:mode");
        int folderMode = (int) Files.getAttribute(folder, "unix:mode");
        if ((mode & WRITABLE_FOR_ALL) != 0) {
            throw refusal(file, "everybody may write it (expected: chmod o-w " + shown(real) + ")");
        }
        if ((folderMode & WRITABLE_FOR_ALL) != 0 && (folderMode & STICKY) == 0) {
            throw refusal(file, "everybody may replace it (expected: chmod o-w " + shown(folder) + ")");
        }
        int owner = (int) Files.getAttribute(real, "unix:uid");
        if (owner != 0 && owner != (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid")) {
            throw refusal(file, "it belongs to user " + owner + " (expected: to you or to root)");
        }
    }

    /// Reads a policy file, YAML or JSON.
    ///
    /// @throws PolicySyntaxException with everything that is wrong in it
    /// @throws IOException if there is no such file, or it cannot be read
    public static LoadedPolicy load(Path file) throws PolicySyntaxException, IOException {
        var bytes = read(file);
        var text = PolicyText.parse(shown(file), bytes);
        return new LoadedPolicy(real(file), shown(file), ByteString.copyOf(bytes), text.document(), text.lines());
    }

    /// What a text says that may become a policy file.
    ///
    /// @param name the file's name for messages, printable
    /// @throws PolicySyntaxException with everything that is wrong in it
    public static PolicyDocument read(String name, String text) throws PolicySyntaxException {
        return PolicyText.parse(name, text.getBytes(StandardCharsets.UTF_8)).document();
    }

    /// At most one byte more than a policy may have. Java cannot ask the kernel about an open file, so the path is
    /// asked before and after: it must be the same regular file.
    private static byte[] read(Path file) throws IOException {
        var before = attributes(file);
        if (!before.isRegularFile()) {
            throw refusal(file, "it is not a regular file (expected: a file with a policy)");
        }
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(SourceText.MAX_BYTES + 1);
            if (!Objects.equals(before.fileKey(), attributes(file).fileKey())) {
                throw refusal(file, "it was replaced while it was read (expected: try again)");
            }
            return bytes;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static Path real(Path file) throws IOException {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static IOException unreadable(Path file, IOException e) {
        var why = switch (e) {
            case NoSuchFileException _ -> "no such file";
            case AccessDeniedException _ -> "permission denied";
            default -> String.valueOf(e.getMessage());
        };
        return new IOException("policy: " + shown(file) + ": " + why, e);
    }

    private static IOException refusal(Path file, String why) {
        return new IOException("policy: " + shown(file) + ": " + why);
    }

    private static String shown(Path file) {
        return ByteString.of(file.toString()).printable();
    }
}
