package dev.cagewright.egress.credential;

import dev.cagewright.egress.login.TokenDesk;
import dev.cagewright.egress.login.TokenSource;
import dev.cagewright.secrets.place.BasicPair;
import dev.cagewright.secrets.place.Decoys;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.value.HeldSecret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// The secrets of one session as the gateway uses them. Safe for all threads.
public final class Credentials {
    /// Of a session without secrets.
    public static final Credentials NONE = of(List.of(), Alarm.NONE);

    private static final int MOST_KNOWN = 1024;

    private final List<Bound> bound;
    private final List<HeldSecret> secrets;
    private final Decoys decoys;
    private final Redaction redaction;
    private final Alarm alarm;
    private final TokenDesk logins;
    private final Map<String, Boolean> known = new ConcurrentHashMap<>();
    /// What the next request is handed over with.
    private volatile Credentials current;

    private Credentials(List<Bound> bound, Alarm alarm, TokenDesk logins) {
        this.bound = List.copyOf(bound);
        this.secrets = bound.stream().map(Bound::secret).toList();
        this.decoys = Decoys.of(secrets);
        this.redaction = Redaction.of(secrets);
        this.alarm = alarm;
        this.logins = logins;
        this.current = this;
    }

    /// The secrets of a session.
    ///
    /// @param bound each decoy once
    /// @param alarm hears of decoys that are used elsewhere
    public static Credentials of(List<Bound> bound, Alarm alarm) {
        return of(bound, alarm, TokenDesk.NONE);
    }

    /// The same where clients log in.
    ///
    /// @param logins takes their tokens
    public static Credentials of(List<Bound> bound, Alarm alarm, TokenDesk logins) {
        return new Credentials(bound, alarm, logins);
    }

    /// From the next request on, these are the secrets; what is under way goes on with those that it began with.
    ///
    /// @param others each decoy once
    public void became(List<Bound> others) {
        current = new Credentials(others, alarm, logins);
    }

    /// Are there no secrets now?
    public boolean isEmpty() {
        return current.bound.isEmpty();
    }

    /// Who takes the tokens of the answer to a request, whatever its scheme and port; empty where nobody logs in.
    public Optional<TokenSource> logins(Request request) {
        return logins.at(request.authority().host(), request.head().path());
    }

    /// Looks at the head of a request.
    public Handover handover(Request request) {
        return new Handover(current, request);
    }

    /// Is anything in a head that belongs to nobody's destination, such as the name of a host that is asked for?
    ///
    /// @return the name of the secret whose decoy is in it; empty if there is none
    public Optional<String> inName(String name) {
        var now = current;
        return now.isEmpty() ? Optional.empty() : now.decoys.inName(name).map(now::name);
    }

    /// A text of a request that may go, for those who look for credentials in it: a decoy is none.
    public String masked(String text) {
        var now = current;
        if (now.bound.isEmpty()) {
            return text;
        }
        var pair = BasicPair.read(text);
        var bytes = pair.orElseGet(() -> text.getBytes(StandardCharsets.ISO_8859_1));
        var seen = now.decoys.in(bytes);
        if (seen.isEmpty()) {
            return text;
        }
        for (var sighting : seen) {
            Arrays.fill(bytes, sighting.from(), sighting.to(), (byte) '-');
        }
        return pair.isPresent() ? "-" : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Is any secret bound to the destination of a request? Every answer asks, so it is looked up once for each.
    boolean isKnown(Request request) {
        if (known.size() >= MOST_KNOWN) {
            known.clear();
        }
        return known.computeIfAbsent(request.toString(), _ -> anyBound(request::isKnown));
    }

    boolean anyBound(Predicate<Bound> which) {
        return bound.stream().anyMatch(which);
    }

    /// The name of the first that is; empty if none is.
    Optional<String> firstBound(Predicate<Bound> which) {
        return bound.stream().filter(which).findFirst().map(one -> one.secret().name());
    }

    Bound bound(int secret) {
        return bound.get(secret);
    }

    String name(int secret) {
        return secrets.get(secret).name();
    }

    List<HeldSecret> secrets() {
        return secrets;
    }

    Decoys decoys() {
        return decoys;
    }

    Redaction redaction() {
        return redaction;
    }

    /// Whom a misuse is told.
    public Alarm alarm() {
        return alarm;
    }

    /// How many, never which.
    @Override
    public String toString() {
        return "(" + bound.size() + " secrets)";
    }
}
