package dev.cagewright.supervisor.credentials;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.supervisor.login.RunLogins;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The secrets of one run: its credentials as the policy has them, and for each name one decoy and one value. Whoever
/// got it closes it when nothing of the run lives any more. Safe for all threads.
public final class RunSecrets implements AutoCloseable {
    /// Of a run without secrets.
    public static final RunSecrets NONE = new RunSecrets(List.of(), Map.of(), RunLogins.NONE);

    /// Variables that the cage itself sets; a decoy in one of them breaks every program.
    private static final Set<String> OF_THE_CAGE =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TERM", "CAGEWRIGHT_SESSION");

    /// Shorter values are looked for as a whole only: they would be met by chance.
    private static final int SHORT = 8;

    private final List<Credential> credentials;
    private final Map<String, Lent> lent;
    private final RunLogins logins;

    /// @param lent by name, for every name of `credentials`; from now on owned by this
    /// @param logins from now on owned by this
    RunSecrets(List<Credential> credentials, Map<String, Lent> lent, RunLogins logins) {
        this.logins = logins;
        this.credentials = List.copyOf(credentials);
        this.lent = new LinkedHashMap<>(lent);
        for (Credential credential : credentials) {
            var variable = credential.env().orElse("");
            if (OF_THE_CAGE.contains(variable)) {
                throw new IllegalArgumentException("credentials: " + credential.name() + " in the variable " + variable
                        + " (expected: one that the cage does not set itself)");
            }
        }
    }

    /// Is nothing lent? Clients may log in all the same: [#logins].
    public boolean isEmpty() {
        return lent.isEmpty();
    }

    /// Those that clients in the cage make themselves.
    public RunLogins logins() {
        return logins;
    }

    public List<Credential> credentials() {
        return credentials;
    }

    /// All that the run may use and never sees: what its policy has, and what log-ins left.
    public List<Credential> lent() {
        return Stream.concat(credentials.stream(), logins.credentials().stream())
                .toList();
    }

    /// Each once, as it is now.
    public List<HeldSecret> held() {
        return lent.values().stream().map(Lent::held).toList();
    }

    /// Those that may be used now; the others may not any more.
    public Set<String> usable() {
        return lent.values().stream()
                .filter(one -> one.standing() == Lent.Standing.GOOD)
                .map(one -> one.held().name())
                .collect(Collectors.toSet());
    }

    /// Values that secrets had earlier in the run, under names that no credential has.
    public List<HeldSecret> former() {
        return lent.values().stream().flatMap(one -> one.former().stream()).toList();
    }

    /// The files that say what becomes of the secrets.
    public Set<Path> stores() {
        return Stream.concat(lent.values().stream().map(one -> one.store().path()), logins.stores().stream())
                .collect(Collectors.toSet());
    }

    /// Looks what the stores say now.
    ///
    /// @return by name, what has changed; empty if nothing has
    public Map<String, String> look() {
        var changed = new TreeMap<String, String>();
        var views = new HashMap<Path, Optional<SecretStore.View>>();
        lent.forEach((name, one) -> {
            var view = views.computeIfAbsent(one.store().path(), _ -> view(one.store()));
            one.look(Instant.now(), view).ifPresent(what -> changed.put(name, what));
        });
        changed.putAll(logins.look());
        return changed;
    }

    private static Optional<SecretStore.View> view(SecretStore store) {
        try {
            return Optional.of(store.view());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// The decoy of a secret of [#credentials].
    String decoy(String name) {
        return Optional.ofNullable(lent.get(name))
                .map(one -> one.held().decoyText())
                .orElseThrow();
    }

    /// The decoys by the names of their secrets.
    public Map<String, String> decoys() {
        var all = new LinkedHashMap<String, String>();
        lent.keySet().forEach(name -> all.put(name, decoy(name)));
        return all;
    }

    /// The variables that hold decoys.
    public Map<String, String> variables() {
        var all = new LinkedHashMap<String, String>();
        for (Credential credential : credentials) {
            credential.env().ifPresent(variable -> all.put(variable, decoy(credential.name())));
        }
        return all;
    }

    /// `block`, entries of `name=value`, with the decoys, and with no value of a secret in any of the others: a decoy
    /// stands in its place.
    public List<ByteString> over(List<ByteString> block) {
        var own = variables();
        var all = new ArrayList<ByteString>();
        for (ByteString entry : block) {
            var text = entry.latin1();
            if (!own.containsKey(text.substring(0, Math.max(0, text.indexOf('='))))) {
                all.add(guarded(entry));
            }
        }
        own.forEach(
                (name, decoy) -> all.add(ByteString.copyOf((name + "=" + decoy).getBytes(StandardCharsets.US_ASCII))));
        return List.copyOf(all);
    }

    private ByteString guarded(ByteString entry) {
        var guarded = entry;
        for (HeldSecret secret : valued()) {
            guarded = Replacement.in(guarded, secret, SHORT);
        }
        return guarded;
    }

    /// Everything with a value, what clients got by logging in before included.
    private List<HeldSecret> valued() {
        return Stream.concat(held().stream(), logins.lent().stream().map(RunLogins.Lent::secret))
                .toList();
    }

    /// The name of the secret whose value is in one of `words`; empty if none is.
    public Optional<String> shownIn(List<ByteString> words) {
        return valued().stream()
                .filter(secret -> words.stream().anyMatch(word -> Replacement.has(word, secret, SHORT)))
                .map(HeldSecret::name)
                .findFirst();
    }

    /// Wipes every value.
    @Override
    public void close() {
        lent.values().forEach(Lent::close);
        logins.close();
    }

    /// How many, and whose value is never told.
    @Override
    public String toString() {
        return "(" + lent.size() + " secrets of a run)";
    }
}
