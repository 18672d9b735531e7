package dev.cagewright.supervisor.named;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.PolicyDiff;
import dev.cagewright.policy.engine.Terms;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A change of one of a named cage's files by a person: what they wrote is judged before it takes the file's place.
/// One thread.
public final class CageEdit {
    private final NamedCages cages;
    private final String name;
    private final Which which;
    private final Path file;
    private final byte[] before;

    /// Which file.
    public enum Which {
        POLICY,
        FORM
    }

    private CageEdit(NamedCages cages, String name, Which which, Path file, byte[] before) {
        this.cages = cages;
        this.name = name;
        this.which = which;
        this.file = file;
        this.before = before;
    }

    /// Begins one; the file as it is may be wrong.
    ///
    /// @throws IOException if there is no such cage, or its file cannot be read or is not the person's own
    public static CageEdit begin(NamedCages cages, String name, Which which) throws IOException {
        cages.requireThere(name);
        var file = which == Which.POLICY ? cages.policyFile(name) : cages.form(name);
        PolicyFiles.requireOwn(file);
        var real = file.toRealPath();
        return new CageEdit(cages, name, which, real, OwnerFile.read(real, SourceText.MAX_BYTES));
    }

    /// The file's text as it was read.
    public byte[] before() {
        return before.clone();
    }

    /// The file, without links.
    public Path file() {
        return file;
    }

    /// Everything that is wrong with a text for the file, a line each with its place; empty if nothing is.
    public List<String> problems(byte[] text) throws IOException {
        try {
            if (which == Which.FORM) {
                form(text);
            } else {
                PolicyInForce.of(
                        PolicyFiles.of(cages.folders()).layersOver(Optional.of(policy(text))),
                        IsolationWish.CAGE,
                        Registries.ofHost(CallerEnvironment.read(), List.of()));
            }
            return List.of();
        } catch (PolicySyntaxException e) {
            return String.valueOf(e.getMessage()).lines().toList();
        } catch (BadPolicyException e) {
            return e.problems().stream()
                    .map(BadPolicyException.Problem::toString)
                    .toList();
        } catch (CharacterCodingException _) {
            return List.of(shown() + ": is not UTF-8 (expected: a text in UTF-8)");
        } catch (NotOfThisCageException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private NamedCage form(byte[] text) throws IOException, PolicySyntaxException {
        var cage = cages.read(name, text);
        if (cage.scaffold().isPresent()) {
            Scaffolds.of(cages.folders()).find(cage.scaffold().get());
        }
        return cage;
    }

    private LoadedPolicy policy(byte[] text) throws IOException, PolicySyntaxException {
        var decoded = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(text))
                .toString();
        return cages.requireOf(name, LoadedPolicy.of(file, shown(), decoded));
    }

    private String shown() {
        return ByteString.of(file.toString()).printable();
    }

    /// Puts `text` into the place of the file, whole or not at all.
    ///
    /// @throws IOException if it cannot be written, or somebody else changed the file meanwhile
    public void keep(byte[] text) throws IOException {
        var problems = problems(text);
        if (!problems.isEmpty()) {
            throw new IOException(problems.getFirst());
        }
        if (!Arrays.equals(before, OwnerFile.read(file, SourceText.MAX_BYTES))) {
            throw new IOException(shown() + ": was changed meanwhile by somebody else (expected: one edit at a time)");
        }
        var mode = Files.getPosixFilePermissions(file);
        OwnerFile.write(file, text);
        Files.setPosixFilePermissions(file, mode);
    }

    /// What a text for the file, without problems, changes, in words, each with when it holds for a cage that runs.
    public List<Effect> effects(byte[] text) throws IOException {
        try {
            return which == Which.FORM ? ofForms(text) : ofPolicies(text);
        } catch (PolicySyntaxException | BadPolicyException | CharacterCodingException | NotOfThisCageException _) {
            return List.of(new Effect(Effect.When.RESTART, "what it says, for it said nothing that holds before"));
        }
    }

    /// One change.
    ///
    /// @param when it holds for a cage that runs
    /// @param change for people
    public record Effect(When when, String change) {
        /// When it holds.
        public enum When {
            /// The gateway reads the policy again, and forbids at once what it no longer allows.
            NOW,
            RESTART
        }
    }

    private List<Effect> ofPolicies(byte[] text) throws IOException, PolicySyntaxException, BadPolicyException {
        return PolicyDiff.between(policy(before).document(), policy(text).document(), Terms.ALONE).stream()
                .map(change -> new Effect(when(change), change.toString()))
                .toList();
    }

    /// What was not allowed when a run began stays forbidden in it; and only its network is judged anew.
    private static Effect.When when(PolicyDiff.Change change) {
        boolean isNetwork = change.field().startsWith("net.") || change.field().startsWith("inspect");
        return isNetwork && change.effect() == PolicyDiff.Effect.NEWLY_DENIED ? Effect.When.NOW : Effect.When.RESTART;
    }

    private List<Effect> ofForms(byte[] text) throws IOException, PolicySyntaxException {
        var was = form(before);
        var is = form(text);
        var changes = new ArrayList<Effect>();
        compare(changes, "workspace", was.workspace(), is.workspace());
        compare(
                changes,
                "scaffold",
                was.scaffold().orElse("none"),
                is.scaffold().orElse("none"));
        compare(changes, "secrets", CageFile.names(was.secrets()), CageFile.names(is.secrets()));
        compare(changes, "publish", was.publish(), is.publish());
        return changes;
    }

    private static void compare(List<Effect> changes, String field, Object was, Object is) {
        if (!was.equals(is)) {
            changes.add(new Effect(
                    Effect.When.RESTART,
                    field + ": " + ByteString.of(was + " becomes " + is).printable()));
        }
    }
}
