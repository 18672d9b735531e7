package dev.cagewright.supervisor.scaffold;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What one kind of agent needs: which program it is, what its cage is like, and what it finds in its home. Data that
/// comes with the product or from a person's folder; it grants nothing that its policy does not. Immutable.
///
/// @param name as it is called: `claude-code`
/// @param about one line for people
/// @param program its name on the caller's `PATH`
/// @param arguments before those of the caller
/// @param install the command that a person would install it with
/// @param environment variables of the cage, none of which is secret or decides which code runs
/// @param secrets lent where they are stored, or when the run asks for one
/// @param home files that stand there when it starts
/// @param contacts whom it asks for something that it needs
/// @param refused whom it asks for something that it does not need, and that its policy does not let it reach
/// @param hints what a person should know before the first run, a line each
/// @param policy the cage's own
public record Scaffold(
        String name,
        String about,
        String program,
        List<String> arguments,
        String install,
        Map<String, String> environment,
        List<Credential> secrets,
        List<HomeFile> home,
        List<Contact> contacts,
        List<Contact> refused,
        List<String> hints,
        LoadedPolicy policy) {
    /// What a name looks like.
    public static final String NAME = "[a-z][a-z0-9-]{0,31}";

    public Scaffold {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        secrets = List.copyOf(secrets);
        home = List.copyOf(home);
        contacts = List.copyOf(contacts);
        refused = List.copyOf(refused);
        hints = List.copyOf(hints);
    }

    /// Those of [#refused], with the names of this machine's registries in the place of `npm registry`.
    ///
    /// @param caller the variables of whoever asks, which may name other registries than the usual
    public List<Contact> refusedHere(Map<ByteString, ByteString> caller) {
        return refused.stream().flatMap(contact -> contact.here(caller)).toList();
    }

    /// A file of the home.
    ///
    /// @param path relative, in its plainest form
    /// @param with the secret without which it is not put there; empty for one that always is
    /// @param way what becomes of one that is there
    /// @param text with `${workspace}`, `${secret:NAME}` and `${secret:NAME:last20}` in it
    public record HomeFile(String path, Optional<String> with, Way way, String text) {
        /// What becomes of a file that is there already.
        public enum Way {
            /// It stays.
            ABSENT,
            /// It is replaced at each start.
            REPLACE,
            /// The members of this JSON object are put into that one at each start, objects within objects too.
            MERGE
        }
    }
}
