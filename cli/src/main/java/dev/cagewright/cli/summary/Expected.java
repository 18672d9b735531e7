package dev.cagewright.cli.summary;

import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.Contact;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Refusals that are no surprise: the agent's scaffold names the host, and what it is asked for.
///
/// @param contacts whom the agent asks for what it does not need
record Expected(List<Contact> contacts) {
    static final Expected NOTHING = new Expected(List.of());

    Expected {
        contacts = List.copyOf(contacts);
    }

    /// What the scaffold of a run says, as it is now. A run of none, or of one that cannot be read any more, has only
    /// surprises.
    static Expected of(StateFolders folders, SessionRecord session) {
        try {
            var scaffolds = Scaffolds.of(folders);
            var name = scaffold(folders, session.cage());
            return scaffolds.has(name)
                    ? new Expected(scaffolds.find(name).refusedHere(CallerEnvironment.read()))
                    : NOTHING;
        } catch (IOException | PolicySyntaxException _) {
            return NOTHING;
        }
    }

    /// A named cage says which one lives in it; a cage of `run NAME` has the scaffold's own name.
    private static String scaffold(StateFolders folders, String cage) throws IOException, PolicySyntaxException {
        var cages = NamedCages.of(folders);
        return cages.has(cage) ? cages.find(cage).scaffold().orElse("") : cage;
    }

    /// Why `host` is asked for; empty for a surprise.
    Optional<String> why(String host) {
        return contacts.stream()
                .filter(contact -> contact.means(host))
                .map(Contact::why)
                .findFirst();
    }
}
