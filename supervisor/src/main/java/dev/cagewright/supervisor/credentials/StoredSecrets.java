package dev.cagewright.supervisor.credentials;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.secrets.decoy.Decoys;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.supervisor.login.RunLogins;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Person;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The person's stored secrets, for one run. The stores are opened when the run turns out to need one, once. Whoever
/// makes it closes it, after the run. One thread.
public final class StoredSecrets implements AutoCloseable {
    private final StateFolders folders;
    private final Person person;
    private final Decoys decoys = new Decoys(new SecureRandom());
    private Optional<Vault> vault = Optional.empty();

    public StoredSecrets(StateFolders folders, Person person) {
        this.folders = folders;
        this.person = person;
    }

    /// The credentials that a cage's own policy has once these wishes are added: an entry of the policy with the
    /// variable that was wished, else one that the store's binding makes. Nothing else of the policy changes.
    ///
    /// @throws StoreException if a secret is not stored, or a store cannot be opened
    /// @throws IllegalArgumentException if one is bound to nowhere
    public Optional<List<Credential>> wished(List<SecretWish> wishes, PolicyDocument policy) throws IOException {
        if (wishes.isEmpty()) {
            return policy.credentials();
        }
        var entries = new LinkedHashMap<String, Credential>();
        var all = new ArrayList<>(policy.credentials().orElse(List.of()));
        all.forEach(entry -> entries.putIfAbsent(entry.name(), entry));
        for (SecretWish wish : wishes) {
            if (entries.containsKey(wish.name())) {
                all.replaceAll(entry -> entry.name().equals(wish.name()) ? wish.over(entry) : entry);
            } else {
                var secret = store(wish.name(), policy.tool(), new Views()).find(wish.name());
                all.add(wish.of(secret.orElseThrow(() -> missing(wish.name()))));
            }
        }
        return Optional.of(all);
    }

    /// What a run gets: every secret that its policy names, each with a fresh decoy. That it was used is noted.
    ///
    /// @return to be closed by the caller when the run is over
    /// @throws StoreException if a secret is not stored, has expired and cannot be had again, or cannot be opened;
    ///     nothing may run
    public RunSecrets lent(EffectivePolicy policy) throws IOException {
        var stored = policy.credentials().stream().filter(Credential::isStored).toList();
        var logins = logins(policy);
        try {
            return lent(policy, stored, logins);
        } catch (IOException | RuntimeException e) {
            logins.close();
            throw e;
        }
    }

    private RunLogins logins(EffectivePolicy policy) throws IOException {
        if (policy.credentials().stream().allMatch(entry -> entry.login().isEmpty())) {
            return RunLogins.NONE;
        }
        return RunLogins.of(policy, folders, ifOpen());
    }

    private Optional<Vault> ifOpen() throws IOException {
        if (vault.isEmpty()) {
            vault = Vault.open(folders, person);
        }
        return vault;
    }

    /// The same for one secret of the policy.
    ///
    /// @throws IllegalArgumentException if no entry of credentials has this name
    public RunSecrets lent(EffectivePolicy policy, String name) throws IOException {
        var named = policy.credentials().stream()
                .filter(entry -> entry.name().equals(name))
                .toList();
        if (named.isEmpty()) {
            throw new IllegalArgumentException(
                    "credentials: \"" + ByteString.of(name) + "\" (expected: a name that the policy has there)");
        }
        if (named.stream().anyMatch(entry -> !entry.isStored())) {
            throw new IllegalArgumentException("credentials: " + name + " is had by logging in in a cage, or signs, and"
                    + " is lent to nothing else (expected: a stored one)");
        }
        return lent(policy, named, RunLogins.NONE);
    }

    private RunSecrets lent(EffectivePolicy policy, List<Credential> wanted, RunLogins logins) throws IOException {
        if (wanted.isEmpty() && logins.isEmpty()) {
            return RunSecrets.NONE;
        }
        var lent = new LinkedHashMap<String, Lent>();
        var views = new Views();
        try {
            for (Credential credential : wanted) {
                var name = credential.name();
                if (!lent.containsKey(name)) {
                    lent.put(name, opened(store(name, policy.tool(), views), name, views));
                }
            }
            note(lent);
            return new RunSecrets(wanted, lent, logins);
        } catch (IOException | RuntimeException e) {
            lent.values().forEach(Lent::close);
            throw e;
        }
    }

    private static void note(Map<String, Lent> lent) throws IOException {
        var used = new LinkedHashMap<Path, List<String>>();
        lent.forEach((name, one) ->
                used.computeIfAbsent(one.store().path(), _ -> new ArrayList<>()).add(name));
        for (Lent one : lent.values()) {
            var names = used.remove(one.store().path());
            if (names != null) {
                one.store().used(names);
            }
        }
    }

    private Lent opened(SecretStore store, String name, Views views) throws IOException {
        var view = views.of(store);
        var secret = view.find(name).orElseThrow(() -> missing(name));
        var now = Instant.now();
        if (secret.current().isStale(now)) {
            Renewed.of(store, secret, now);
            view = views.renewed(store);
        }
        var fresh = view.open(name).orElseThrow(() -> missing(name));
        var value = fresh.value();
        try {
            return new Lent(store, decoys, fresh.secret(), new HeldSecret(name, decoys.like(value), value));
        } catch (RuntimeException e) {
            value.close();
            throw e;
        }
    }

    /// Is a secret of this name stored, for this cage or for every one?
    ///
    /// @throws StoreException if a store cannot be opened
    public boolean has(String name, Optional<CageName> cage) throws IOException {
        var views = new Views();
        return ifOpen().isPresent()
                && views.of(store(name, cage, views)).find(name).isPresent();
    }

    /// The cage's own where it has that secret, else the one for every cage.
    private SecretStore store(String name, Optional<CageName> cage, Views views) throws IOException {
        var open = ifOpen().orElseThrow(() -> missing(name));
        if (cage.isPresent()) {
            var own = open.store(Scope.of(cage.get()));
            if (views.of(own).find(name).isPresent()) {
                return own;
            }
        }
        return open.store(Scope.USER);
    }

    private static StoreException missing(String name) {
        return new StoreException("no secret " + name + " is stored, so nothing runs (cagewright secret set " + name
                + " stores it: by a pipe, or typed where it is not shown)");
    }

    @Override
    public void close() {
        vault.ifPresent(Vault::close);
    }
}
