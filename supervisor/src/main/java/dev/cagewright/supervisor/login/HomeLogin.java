package dev.cagewright.supervisor.login;

import dev.cagewright.policy.document.Credential;
import dev.cagewright.secrets.decoy.Decoys;
import dev.cagewright.secrets.store.Binding;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import dev.cagewright.supervisor.login.LoginRecord.Token;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One log-in of the home that a run has: what is stored of it, as this run knows it. Values that it had earlier stay
/// known, so that they are kept out of what comes back. Safe for all threads.
final class HomeLogin implements AutoCloseable {
    /// What was good an hour ago may be so yet; what was good last week is not.
    private static final int MOST_FORMER = 48;

    private final Credential credential;
    private final Credential.Login login;
    private final LoginStore store;
    private final Decoys decoys;
    private final List<SecretValue> owned = new ArrayList<>();
    private final List<HeldSecret> former = new ArrayList<>();
    private final Object keeping = new Object();
    private LoginRecord record = LoginRecord.EMPTY;
    private long version;
    private boolean isKnown = true;

    HomeLogin(Credential credential, LoginStore store, Decoys decoys) {
        this.credential = credential;
        this.login = credential.login().orElseThrow();
        this.store = store;
        this.decoys = decoys;
    }

    Credential credential() {
        return credential;
    }

    Credential.Login login() {
        return login;
    }

    /// Reads what is stored, at the beginning, and notes that it is used.
    ///
    /// @throws IOException if it cannot be read
    void open() throws IOException {
        read();
        if (!isEmpty()) {
            store.opened().used(List.of(credential.name()));
        }
    }

    /// One token of a log-in.
    ///
    /// @param field the member that it came in
    record HeldToken(String field, HeldSecret secret) {}

    /// Each decoy once; none where the store cannot be read.
    synchronized List<HeldToken> tokens() {
        var all = new ArrayList<HeldToken>();
        if (isKnown) {
            record.grants()
                    .forEach(grant -> grant.tokens()
                            .forEach((field, token) -> token.decoys()
                                    .forEach(decoy -> all.add(
                                            new HeldToken(field, held(credential.name(), decoy, token.value()))))));
        }
        return all;
    }

    private static HeldSecret held(String name, String decoy, SecretValue value) {
        return new HeldSecret(name, decoy.getBytes(StandardCharsets.US_ASCII), value);
    }

    /// Values that are used no more.
    synchronized List<HeldSecret> former() {
        var all = new ArrayList<>(former);
        if (!isKnown) {
            record.values().forEach(value -> all.add(forgotten(value)));
        }
        return all;
    }

    private HeldSecret forgotten(SecretValue value) {
        return new HeldSecret(credential.name() + " (earlier)", decoys.like(value), value);
    }

    /// Looks what the store says now.
    ///
    /// @return what has changed, for people; empty if nothing has
    Optional<String> look() {
        try {
            boolean wasKnown = isKnown();
            if (read()) {
                return Optional.of(
                        isEmpty()
                                ? "was logged out: its use is refused"
                                : "has other tokens, which are used from here on");
            }
            return wasKnown ? Optional.empty() : Optional.of("may be used again");
        } catch (IOException _) {
            return wentUnknown()
                    ? Optional.of("cannot be looked up, since its store cannot be read: its use is refused")
                    : Optional.empty();
        }
    }

    private synchronized boolean isKnown() {
        return isKnown;
    }

    synchronized boolean isEmpty() {
        return record.grants().isEmpty();
    }

    private synchronized boolean wentUnknown() {
        boolean wasKnown = isKnown;
        isKnown = false;
        return wasKnown;
    }

    /// Reads what is stored.
    ///
    /// @return is it another one than was known?
    private boolean read() throws IOException {
        var there = store.found();
        var opened = there.isEmpty()
                ? Optional.<SecretStore.Opened>empty()
                : there.get().open(credential.name());
        synchronized (this) {
            long number = opened.map(one -> one.secret().current().number()).orElse(0L);
            isKnown = true;
            if (number == version) {
                opened.ifPresent(one -> one.value().close());
                return false;
            }
            var fresh = LoginRecord.EMPTY;
            if (opened.isPresent()) {
                try (var value = opened.get().value()) {
                    fresh = LoginRecord.read(value);
                }
            }
            became(fresh, number);
            return true;
        }
    }

    private void became(LoginRecord fresh, long number) {
        record.values().stream()
                .filter(value -> fresh.grantOf(value).isEmpty())
                .forEach(value -> former.add(forgotten(value)));
        while (former.size() > MOST_FORMER) {
            former.removeFirst();
        }
        owned.addAll(fresh.values());
        record = fresh;
        version = number;
    }

    /// The tokens that a client may give back for others, by the place of their grant.
    synchronized List<HeldSecret> renewable() {
        var all = new ArrayList<HeldSecret>();
        for (int i = 0; i < record.grants().size(); i++) {
            var token = record.grants().get(i).tokens().get("refresh_token");
            if (token != null) {
                all.add(held(Integer.toString(i), token.decoys().getFirst(), token.value()));
            }
        }
        return all;
    }

    /// Keeps tokens in the store, then here.
    ///
    /// @param before the tokens that were given back for them
    /// @return the decoy of each
    Map<String, byte[]> keep(Map<String, SecretValue> tokens, List<SecretValue> before) throws IOException {
        synchronized (keeping) {
            return kept(tokens, before);
        }
    }

    private Map<String, byte[]> kept(Map<String, SecretValue> tokens, List<SecretValue> before) throws IOException {
        var copies = new LinkedHashMap<String, SecretValue>();
        tokens.forEach((field, value) -> copies.put(field, value.lend(SecretValue::copyOf)));
        var grown = new ArrayList<LoginRecord.Grown>();
        var stored = store.opened().rewrite(credential.name(), binding(), value -> {
            var now = value.isPresent() ? LoginRecord.read(value.get()) : LoginRecord.EMPTY;
            grown.add(now.with(copies, renewed(now, before), decoys));
            return grown.getLast().record().write();
        });
        synchronized (this) {
            isKnown = true;
            became(grown.getLast().record(), stored.current().number());
        }
        return decoys(grown.getLast().grant(), tokens.keySet());
    }

    private Optional<LoginRecord.Grant> renewed(LoginRecord now, List<SecretValue> before) throws StoreException {
        if (before.isEmpty()) {
            return Optional.empty();
        }
        var grant =
                before.stream().flatMap(value -> now.grantOf(value).stream()).findFirst();
        if (grant.isEmpty()) {
            throw new StoreException(
                    "the log-in " + credential.name() + " was ended meanwhile, or renewed by another" + " run");
        }
        return grant;
    }

    private static Map<String, byte[]> decoys(LoginRecord.Grant grant, Set<String> fields) {
        var all = new LinkedHashMap<String, byte[]>();
        for (String field : fields) {
            Token token = Optional.ofNullable(grant.tokens().get(field)).orElseThrow();
            all.put(field, token.decoys().getFirst().getBytes(StandardCharsets.US_ASCII));
        }
        return all;
    }

    private Binding binding() {
        return new Binding(
                credential.useWith(),
                credential.places().stream().map(Credential.Place::word).toList(),
                Optional.empty(),
                List.of());
    }

    @Override
    public synchronized void close() {
        owned.forEach(SecretValue::close);
        former.forEach(HeldSecret::close);
    }
}
