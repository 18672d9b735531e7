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
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A run's secrets as the gateway takes them: under TLS alone, to the hosts and in the places that the policy says. The
/// port is 443, or, where the rules of such a host name others and not that one, theirs.
final class GatewaySecrets {
    /// RFC 9110 section 4.2.2.
    private static final int HTTPS = 443;

    private final EffectivePolicy policy;
    private final RunSecrets secrets;

    GatewaySecrets(EffectivePolicy policy, RunSecrets secrets) {
        this.policy = policy;
        this.secrets = secrets;
    }

    /// @param pause stops what is in the cage, where the policy says so
    /// @param journal hears of decoys that are used elsewhere
    Credentials on(Runnable pause, AuditJournal journal) {
        return secrets.isEmpty() ? Credentials.NONE : Credentials.of(bound(), alarm(pause, journal));
    }

    /// Keeps `credentials` as the stores have them.
    ///
    /// @param journal hears of each change
    SecretWatch watch(Credentials credentials, AuditJournal journal) {
        return SecretWatch.begin(secrets, changes -> {
            credentials.became(bound());
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
        secrets.former().forEach(held -> all.add(new Bound(held, List.of())));
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

    /// What cannot be paused is ended.
    static void pause(Cage cage) {
        try {
            cage.pause();
        } catch (ConfinementException _) {
            cage.kill(KillReason.REQUESTED);
        }
    }

    private static void note(AuditJournal journal, String name, JsonObject detail) {
        try {
            journal.note(name, detail);
        } catch (IOException _) {
            return; // a log that takes no note takes no intent either: nothing more is let through
        }
    }
}
