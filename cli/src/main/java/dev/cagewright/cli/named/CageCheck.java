package dev.cagewright.cli.named;

import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.named.CageEdit;
import dev.cagewright.supervisor.named.CageSession;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.receipt.ReceiptFile;
import dev.cagewright.supervisor.scaffold.Installation;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Looks at everything that a named cage needs.
///
/// @param console asks for a passphrase where the store of secrets has one
/// @param name of one that is there
record CageCheck(Console console, NamedCages cages, Words words, String name) {
    /// What was found, in order.
    List<Finding> all() throws IOException {
        var found = new ArrayList<Finding>();
        found.add(file("policy", CageEdit.Which.POLICY, ""));
        var form = file("cage.yaml", CageEdit.Which.FORM, " --cage");
        found.add(form);
        try {
            var cage = cages.find(name);
            found.addAll(of(cage));
        } catch (PolicySyntaxException _) {
            found.add(Finding.none("the rest", "not looked at, for cage.yaml says nothing that holds"));
        } catch (IOException e) {
            if (form.state() == Finding.State.OK) {
                throw e;
            }
            found.add(Finding.none("the rest", "not looked at, for cage.yaml says nothing that holds"));
        }
        found.addAll(last());
        return found;
    }

    private Finding file(String what, CageEdit.Which which, String option) {
        try {
            var edit = CageEdit.begin(cages, name, which);
            var problems = edit.problems(edit.before());
            return problems.isEmpty()
                    ? Finding.ok(what, edit.file().toString())
                    : Finding.bad(what, String.join("; ", problems) + " (cagewright edit " + name + option + ")");
        } catch (IOException e) {
            return Finding.bad(what, String.valueOf(e.getMessage()));
        }
    }

    private List<Finding> of(NamedCage cage) throws IOException, PolicySyntaxException {
        var found = new ArrayList<Finding>();
        boolean isThere = Files.isDirectory(cage.workspace()) && Files.isReadable(cage.workspace());
        found.add(
                isThere
                        ? Finding.ok("workspace", cage.workspace().toString())
                        : Finding.bad(
                                "workspace",
                                cage.workspace() + " is no folder that you can read (bring it back, or cagewright edit "
                                        + name + " --cage)"));
        if (cage.scaffold().isPresent()) {
            found.add(program(cage.scaffold().get()));
        }
        found.add(secrets(cage));
        if (isThere) {
            var trial = new CageTrial(words, cage.workspace()).run();
            found.add(trial.runtime());
            found.add(trial.trust());
        }
        return found;
    }

    private Finding program(String scaffold) throws IOException, PolicySyntaxException {
        var agent = Scaffolds.of(cages.folders()).find(scaffold);
        return Installation.of(agent.program(), CallerEnvironment.read())
                .map(there -> Finding.ok("program", there.program().toString()))
                .orElseGet(() -> Finding.bad(
                        "program",
                        "there is no \"" + agent.program() + "\" on your PATH"
                                + (agent.install().isEmpty() ? "" : " (" + agent.install() + ")")));
    }

    private Finding secrets(NamedCage cage) {
        var wanted = new LinkedHashSet<>(
                cage.secrets().stream().map(SecretWish::name).toList());
        try (var stored = new StoredSecrets(cages.folders(), new TerminalPerson(console))) {
            cages.policy(name).document().credentials().orElse(List.of()).stream()
                    .filter(Credential::isStored)
                    .map(Credential::name)
                    .forEach(wanted::add);
            var missing = new ArrayList<String>();
            for (String secret : wanted) {
                if (!stored.has(secret, Optional.of(new CageName(name)))) {
                    missing.add(secret);
                }
            }
            if (!missing.isEmpty()) {
                return Finding.bad(
                        "secrets",
                        String.join(", ", missing) + " not stored (cagewright secret set " + missing.getFirst()
                                + " --use-with HOST)");
            }
            return wanted.isEmpty()
                    ? Finding.none("secrets", "it has none")
                    : Finding.ok("secrets", String.join(", ", wanted) + " stored");
        } catch (IOException | PolicySyntaxException e) {
            return Finding.bad("secrets", String.valueOf(e.getMessage()));
        }
    }

    /// Of its last session.
    private List<Finding> last() throws IOException {
        var session = CageSession.of(cages, name);
        var record = session.isEmpty()
                ? Optional.<SessionRecord>empty()
                : new SessionStore(cages.folders()).find(session.get().id());
        if (session.isEmpty() || record.isEmpty()) {
            return List.of(Finding.none("session", "none yet"));
        }
        var found = new ArrayList<Finding>();
        found.add(Finding.ok(
                "session", session.get().id() + (session.get().isAlive() ? ", which lives" : ", which is over")));
        found.add(
                command("log", List.of("audit", "verify", "--log", record.get().auditLog())));
        var receipt = receipt(record.get());
        found.add(
                Files.exists(receipt)
                        ? command(
                                "receipt",
                                List.of("receipt", "verify", record.get().id().value()))
                        : Finding.none(
                                "receipt",
                                session.get().isAlive()
                                        ? "none yet; it is written when the cage goes down"
                                        : "none: the session went down with its supervisor"));
        return found;
    }

    private Path receipt(SessionRecord record) throws IOException {
        return ReceiptFile.in(cages.folders().session(record.id()));
    }

    private Finding command(String what, List<String> line) {
        var said = words.heard(Map.of(), line);
        var lines = (said.out() + said.err()).lines().map(String::strip).toList();
        return said.code() == 0
                ? Finding.ok(
                        what, lines.isEmpty() ? "verified" : lines.getFirst().replaceFirst("^ok: ", ""))
                : Finding.bad(what, String.join("; ", lines) + " (cagewright " + String.join(" ", line) + ")");
    }
}
