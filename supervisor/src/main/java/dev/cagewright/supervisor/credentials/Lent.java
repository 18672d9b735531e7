package dev.cagewright.supervisor.credentials;

import dev.cagewright.secrets.decoy.Decoys;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.Stored;
import dev.cagewright.secrets.value.HeldSecret;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One secret of a run: its decoy, which stays, its value, which may become another one, and whether it may be used.
/// Values it had before stay known, so that they are kept out of what comes back. One thread looks; any may ask.
final class Lent implements AutoCloseable {
    private final SecretStore store;
    private final Decoys decoys;
    private final long epoch;
    private final List<HeldSecret> former = new ArrayList<>();
    private HeldSecret held;
    private long version;
    private Standing standing = Standing.GOOD;

    /// May it be used?
    enum Standing {
        GOOD,
        /// It is not stored any more, its decoys were rotated, or it has expired.
        WITHDRAWN,
        /// Its store cannot be read.
        UNKNOWN
    }

    /// @param held from now on owned by this
    Lent(SecretStore store, Decoys decoys, Stored secret, HeldSecret held) {
        this.store = store;
        this.decoys = decoys;
        this.epoch = secret.decoys();
        this.held = held;
        this.version = secret.current().number();
    }

    SecretStore store() {
        return store;
    }

    synchronized HeldSecret held() {
        return held;
    }

    synchronized Standing standing() {
        return standing;
    }

    /// The values before the one in use, under names of their own.
    synchronized List<HeldSecret> former() {
        return List.copyOf(former);
    }

    /// Looks what the store says now.
    ///
    /// @param view of the store, a moment ago; empty if it cannot be read
    /// @return what has changed, for people; empty if nothing has
    Optional<String> look(Instant now, Optional<SecretStore.View> view) {
        if (view.isEmpty()) {
            return became(Standing.UNKNOWN);
        }
        try {
            var latest = refreshed(now, view.get());
            if (renewed(latest)) {
                return Optional.of("has another value, which is used from here on");
            }
            return became(standing(now, latest));
        } catch (IOException e) {
            return became(Standing.UNKNOWN);
        }
    }

    private Standing standing(Instant now, SecretStore.View view) {
        var secret = view.find(held().name());
        boolean isGood = secret.filter(
                        one -> one.decoys() == epoch && !one.current().isStale(now))
                .isPresent();
        return isGood ? Standing.GOOD : Standing.WITHDRAWN;
    }

    private synchronized Optional<String> became(Standing now) {
        if (now == standing) {
            return Optional.empty();
        }
        standing = now;
        return Optional.of(
                switch (now) {
                    case GOOD -> "may be used again";
                    case WITHDRAWN -> "was removed, has expired, or its decoys were rotated: its use is refused";
                    case UNKNOWN -> "cannot be looked up, since its store cannot be read: its use is refused";
                });
    }

    /// The store once the command was asked that gives a value which has expired; the same where there is none.
    private SecretStore.View refreshed(Instant now, SecretStore.View view) throws IOException {
        var secret = view.find(held().name()).filter(one -> one.decoys() == epoch);
        if (secret.isPresent()
                && secret.get().current().isStale(now)
                && secret.get().refresh().isPresent()) {
            Renewed.of(store, secret.get(), now);
            return store.view();
        }
        return view;
    }

    private boolean renewed(SecretStore.View view) throws IOException {
        var name = held().name();
        var secret = view.find(name);
        if (secret.isEmpty() || secret.get().decoys() != epoch || isInUse(secret.get())) {
            return false;
        }
        var opened = view.open(name);
        if (opened.isEmpty()) {
            return false;
        }
        long number = opened.get().secret().current().number();
        synchronized (this) {
            if (number == version) {
                opened.get().value().close();
                return false;
            }
            former.add(new HeldSecret(name + " (version " + version + ")", decoys.like(held.value()), held.value()));
            held = new HeldSecret(name, held.decoy(), opened.get().value());
            version = number;
            standing = Standing.GOOD;
            return true;
        }
    }

    private synchronized boolean isInUse(Stored secret) {
        return secret.current().number() == version;
    }

    @Override
    public synchronized void close() {
        former.forEach(HeldSecret::close);
        held.close();
    }
}
