package dev.cagewright.supervisor.login;

import dev.cagewright.egress.login.TokenDesk;
import dev.cagewright.egress.login.TokenSource;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.secrets.decoy.Decoys;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The log-ins of one run: those that its policy names, with what is stored of them for the home that the run has.
/// Whoever got it closes it when nothing of the run lives any more. Safe for all threads.
public final class RunLogins implements TokenDesk, AutoCloseable {
    /// Of a run whose policy names none.
    public static final RunLogins NONE = new RunLogins(List.of(), Optional.empty());

    /// RFC 9110 section 4.2.2.
    private static final int HTTPS = 443;

    private final List<HomeLogin> logins;
    private final Optional<LoginStore> store;
    private volatile Listener listener = Listener.NOBODY;

    private RunLogins(List<HomeLogin> logins, Optional<LoginStore> store) {
        this.logins = List.copyOf(logins);
        this.store = store;
    }

    /// Hears of tokens. Returns before any of them reaches the cage.
    @FunctionalInterface
    public interface Listener {
        Listener NOBODY = (_, _, _) -> {};

        /// Tokens were kept.
        ///
        /// @param credential the log-in's
        /// @param tokens the members of the answer
        /// @param how did a client log in, or was it one token for another?
        void kept(Credential credential, Set<String> tokens, How how);
    }

    /// How tokens came.
    public enum How {
        LOGGED_IN,
        RENEWED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What a run gets.
    ///
    /// @param vault the person's stores, where they are open; stays the caller's
    /// @throws IllegalArgumentException if the policy lets a token end point's bytes pass unopened
    /// @throws IOException if what is stored cannot be read; nothing may run
    public static RunLogins of(EffectivePolicy policy, StateFolders folders, Optional<Vault> vault) throws IOException {
        var named = policy.credentials().stream()
                .filter(credential -> credential.login().isPresent())
                .toList();
        if (named.isEmpty()) {
            return NONE;
        }
        named.forEach(credential -> requireOpened(policy, credential));
        var store = new LoginStore(folders, LoginHome.of(folders, policy), vault);
        var decoys = new Decoys(new SecureRandom());
        var logins = named.stream()
                .map(credential -> new HomeLogin(credential, store, decoys))
                .toList();
        var run = new RunLogins(logins, Optional.of(store));
        try {
            for (HomeLogin login : logins) {
                login.open();
            }
            return run;
        } catch (IOException | RuntimeException e) {
            run.close();
            throw e;
        }
    }

    private static void requireOpened(EffectivePolicy policy, Credential credential) {
        var host = credential.login().orElseThrow().host();
        boolean isUnseen = policy.hostRules(new HostName(host), HTTPS).stream()
                .map(EffectivePolicy.LayeredRule::rule)
                .anyMatch(rule -> rule.inspection() != HostRule.Inspection.OPENED);
        if (isUnseen) {
            throw new IllegalArgumentException("credentials: " + credential.name() + " is had by logging in at " + host
                    + ", whose bytes pass unopened, so its tokens would reach the cage (expected: no inspect: false for"
                    + " that host)");
        }
    }

    public boolean isEmpty() {
        return logins.isEmpty();
    }

    /// From now on, who hears of tokens.
    public void listen(Listener other) {
        listener = other;
    }

    /// The log-ins as the policy has them.
    public List<Credential> credentials() {
        return logins.stream().map(HomeLogin::credential).toList();
    }

    /// Those of [#credentials] that somebody has logged in for.
    public List<Credential> loggedIn() {
        return logins.stream()
                .filter(login -> !login.isEmpty())
                .map(HomeLogin::credential)
                .toList();
    }

    /// One token as it may be used now.
    ///
    /// @param credential the log-in's, whose name the secret has
    /// @param field the member of the answer that it came in
    public record Lent(Credential credential, String field, HeldSecret secret) {}

    /// Each decoy once.
    public List<Lent> lent() {
        var all = new ArrayList<Lent>();
        for (HomeLogin login : logins) {
            login.tokens().forEach(token -> all.add(new Lent(login.credential(), token.field(), token.secret())));
        }
        return all;
    }

    /// Values that are good no more, or may be used no more, under names that no credential has.
    public List<HeldSecret> former() {
        return logins.stream().flatMap(login -> login.former().stream()).toList();
    }

    /// The files that say what becomes of them.
    public Set<Path> stores() {
        return store.map(one -> Set.of(one.path())).orElse(Set.of());
    }

    /// Looks what the store says now.
    ///
    /// @return by name, what has changed; empty if nothing has
    public Map<String, String> look() {
        var changed = new TreeMap<String, String>();
        logins.forEach(login ->
                login.look().ifPresent(what -> changed.put(login.credential().name(), what)));
        return changed;
    }

    @Override
    public Optional<TokenSource> at(HostName host, String path) {
        Optional<TokenSource> watched = Optional.empty();
        for (HomeLogin login : logins) {
            if (login.login().host().equals(host.value())) {
                if (isEndPoint(login.login(), path)) {
                    return Optional.of(new Source(login, TokenSource.Reading.STRICT));
                }
                if (watched.isEmpty() && !goesThere(login.credential(), host)) {
                    watched = Optional.of(new Source(login, TokenSource.Reading.WATCHFUL));
                }
            }
        }
        return watched;
    }

    /// A server may read more into a path than its one spelling says.
    private static boolean isEndPoint(Credential.Login login, String path) {
        return path.equals(login.path()) || lax(path).equals(lax(login.path()));
    }

    private static String lax(String path) {
        return path.toLowerCase(Locale.ROOT)
                .replaceAll(";[^/]*", "")
                .replace("%2f", "/")
                .replaceAll("/+", "/")
                .replaceAll("/$", "");
    }

    /// Where the tokens go, answers are others' texts, in which the names of tokens mean nothing.
    private static boolean goesThere(Credential credential, HostName host) {
        return credential.useWith().contains(host.value());
    }

    /// One exchange with one token end point.
    private final class Source implements TokenSource {
        private final HomeLogin login;
        private final Reading reading;
        private final List<HeldSecret> renewable;

        Source(HomeLogin login, Reading reading) {
            this.login = login;
            this.reading = reading;
            this.renewable = login.renewable();
        }

        @Override
        public Reading reading() {
            return reading;
        }

        @Override
        public Set<String> fields() {
            return new TreeSet<>(login.login().tokens());
        }

        @Override
        public List<HeldSecret> renewable() {
            return renewable;
        }

        @Override
        public Map<String, byte[]> keep(Map<String, SecretValue> tokens, Set<String> renewed) throws IOException {
            var before = renewable.stream()
                    .filter(secret -> renewed.contains(secret.name()))
                    .map(HeldSecret::value)
                    .toList();
            var decoys = login.keep(tokens, before);
            listener.kept(login.credential(), decoys.keySet(), before.isEmpty() ? How.LOGGED_IN : How.RENEWED);
            return decoys;
        }
    }

    /// Wipes every value.
    @Override
    public void close() {
        logins.forEach(HomeLogin::close);
        store.ifPresent(LoginStore::close);
    }

    /// How many, and whose value is never told.
    @Override
    public String toString() {
        return "(" + logins.size() + " log-ins of a run)";
    }
}
