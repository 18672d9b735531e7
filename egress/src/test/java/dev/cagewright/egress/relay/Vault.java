package dev.cagewright.egress.relay;

import dev.cagewright.egress.credential.Alarm;
import dev.cagewright.egress.credential.Binding;
import dev.cagewright.egress.credential.Bound;
import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.credential.Place;
import dev.cagewright.egress.credential.Scheme;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// Canary secrets, and where they may go.
final class Vault {
    static final String VALUE = "sk-live-Zq7Wc1Xn8Vb2Mk5J";
    static final String DECOY = "sk-live-DecoyDecoyDecoy1";

    /// Decoys that were used elsewhere, by secret and decision.
    final List<String> alarms = new CopyOnWriteArrayList<>();

    private final Alarm alarm = (secret, decision) -> alarms.add(secret + " " + decision);

    static HeldSecret secret(String name, String decoy, String value) {
        return new HeldSecret(
                name,
                decoy.getBytes(StandardCharsets.US_ASCII),
                SecretValue.copyOf(value.getBytes(StandardCharsets.ISO_8859_1)));
    }

    static Place.Header header() {
        return new Place.Header(Optional.empty());
    }

    /// To `a.test` at `port`.
    static Bound bound(HeldSecret secret, Scheme scheme, int port, Place... places) {
        var host = HostPattern.parse("host", "a.test");
        return new Bound(
                secret,
                Arrays.stream(places)
                        .map(place -> new Binding(scheme, host, port, place))
                        .toList());
    }

    Credentials of(Bound... secrets) {
        return Credentials.of(List.of(secrets), alarm);
    }

    /// `KEY`, bound to `a.test` at `port`.
    Credentials key(Scheme scheme, int port, Place... places) {
        return of(bound(secret("KEY", DECOY, VALUE), scheme, port, places));
    }
}
