package dev.cagewright.supervisor.net;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.credential.Alarm;
import dev.cagewright.egress.credential.Binding;
import dev.cagewright.egress.credential.Bound;
import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.credential.Place;
import dev.cagewright.egress.credential.Scheme;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.login.RunLogins;
import dev.cagewright.supervisor.standstill.Order;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A run's secrets as the gateway takes them: under TLS alone, to the hosts and in the places that the policy says. The
/// port is 443, or, where the rules of such a host name others and not that one, theirs.
final class GatewaySecrets {
    /// RFC 9110 section 4.2.2.
    private static final int HTTPS = 443;

    /// Tokens that are for whoever gave them.
    private static final Set<String> ISSUERS = Set.of("refresh_token", "id_token");

    private final EffectivePolicy policy;
    private final RunSecrets secrets;

    GatewaySecrets(EffectivePolicy policy, RunSecrets secrets) {
        this.policy = policy;
        this.secrets = secrets;
    }

    /// @param pause stops what is in the cage, where the policy says so
    /// @param journal hears of decoys that are used elsewhere
    Credentials on(Runnable pause, AuditJournal journal) {
        if (!isWatched()) {
            return Credentials.NONE;
        }
        var credentials = Credentials.of(bound(), alarm(pause, journal), secrets.logins());
        secrets.logins().listen((login, tokens, how) -> {
            renew(credentials);
            note(
                    journal,
                    "login.kept",
                    Json.object()
                            .put("login", login.name())
                            .put("host", login.login().orElseThrow().host())
                            .put("tokens", List.copyOf(tokens))
                            .put("how", how.word())
                            .build());
        });
        return credentials;
    }

    /// Can anything about them change while the cage lives?
    boolean isWatched() {
        return !secrets.isEmpty() || !secrets.logins().isEmpty();
    }

    private synchronized void renew(Credentials credentials) {
        credentials.became(bound());
    }

    /// Keeps `credentials` as the stores have them.
    ///
    /// @param journal hears of each change
    SecretWatch watch(Credentials credentials, AuditJournal journal) {
        return SecretWatch.begin(secrets, changes -> {
            renew(credentials);
            changes.forEach((name, what) -> note(
                    journal,
                    "secret.changed",
                    Json.object().put("secret", name).put("what", what).build()));
        });
    }

    /// As the stores have it now. What may not be used any more, and values from before a rotation, are bound to
    /// nowhere: they are kept out of what comes back all the same.
    private List<Bound> bound() {
        var usable = secrets.usable();
        var all = new ArrayList<Bound>();
        secrets.held()
                .forEach(held -> all.add(usable.contains(held.name()) ? bound(held) : new Bound(held, List.of())));
        secrets.logins().lent().forEach(token -> all.add(new Bound(token.secret(), bindings(token))));
        secrets.former().forEach(held -> all.add(new Bound(held, List.of())));
        secrets.logins().former().forEach(held -> all.add(new Bound(held, List.of())));
        return all;
    }

    private Bound bound(HeldSecret secret) {
        var bindings = new ArrayList<Binding>();
        for (HostPattern host : policy.secretHosts(secret.name())) {
            for (int port : ports(host)) {
                for (Credential.Place place : places(secret.name())) {
                    bindings.add(new Binding(Scheme.HTTPS, host, port, Place.of(place)));
                }
            }
        }
        return new Bound(secret, bindings);
    }

    /// What renews or identifies goes back to where it came from, in the body; what opens doors goes to these in the
    /// place that the policy says, and may be given back.
    private List<Binding> bindings(RunLogins.Lent token) {
        var credential = token.credential();
        var login = credential.login().orElseThrow();
        var bindings = new ArrayList<Binding>();
        var back =
                Stream.concat(Stream.of(login.path()), login.revoke().stream()).toList();
        var issuer = HostPattern.parse("login.host", login.host());
        ports(issuer).forEach(port -> bindings.add(new Binding(Scheme.HTTPS, issuer, port, new Place.Body(), back)));
        if (ISSUERS.contains(token.field())) {
            return bindings;
        }
        for (HostPattern host : policy.secretHosts(credential.name())) {
            for (int port : ports(host)) {
                for (Credential.Place place : credential.places()) {
                    bindings.add(new Binding(Scheme.HTTPS, host, port, narrowed(place, token.field())));
                }
            }
        }
        return bindings;
    }

    /// RFC 6750 section 2.1.
    private static Place narrowed(Credential.Place place, String field) {
        return place == Credential.Place.HEADER && field.equals("access_token")
                ? new Place.Header(Optional.of("authorization"))
                : Place.of(place);
    }

    private List<Credential.Place> places(String name) {
        return secrets.credentials().stream()
                .filter(credential -> credential.name().equals(name))
                .flatMap(credential -> credential.places().stream())
                .distinct()
                .toList();
    }

    private Set<Integer> ports(HostPattern host) {
        var ports = new TreeSet<Integer>();
        policy.layers().stream()
                .flatMap(layer -> layer.document().net().flatMap(NetSection::hosts).stream())
                .flatMap(List::stream)
                .filter(rule -> isAbout(rule, host))
                .forEach(rule -> ports.addAll(rule.ports().orElse(List.of(HTTPS))));
        return ports.isEmpty() || ports.contains(HTTPS) ? Set.of(HTTPS) : ports;
    }

    private static boolean isAbout(HostRule rule, HostPattern host) {
        return rule.target() instanceof HostRule.Target.Host(String pattern)
                && HostPattern.parse("net.hosts", pattern).covers(host);
    }

    /// On a thread of its own, since a note waits for the disk.
    private Alarm alarm(Runnable pause, AuditJournal journal) {
        boolean pauses = policy.inspect()
                .decoys()
                .filter(InspectSection.Misuse.PAUSE::equals)
                .isPresent();
        return (secret, decision) -> {
            var detail = Json.object()
                    .put("secret", secret)
                    .put("decision", decision)
                    .build();
            Thread.ofVirtual().name("decoy-alarm").start(() -> {
                if (pauses) {
                    pause.run();
                }
                note(journal, "secret.decoy_elsewhere", detail);
                if (pauses) {
                    note(journal, "run.paused", detail);
                }
            });
        };
    }

    /// What puts on record that a person let a run go on that stood still, or ended it.
    Consumer<Order> obeyed(AuditJournal journal) {
        return order -> note(
                journal, "run.ordered", Json.object().put("order", order.word()).build());
    }

    private static void note(AuditJournal journal, String name, JsonObject detail) {
        try {
            journal.note(name, detail);
        } catch (IOException _) {
            return; // a log that takes no note takes no intent either: nothing more is let through
        }
    }
}
