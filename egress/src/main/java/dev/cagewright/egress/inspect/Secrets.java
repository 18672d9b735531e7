package dev.cagewright.egress.inspect;

import dev.cagewright.egress.inspect.credential.Credentials;
import dev.cagewright.policy.document.InspectSection.Reaction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Credentials in requests: `secrets` as they are, `encoded` in base64, hex or escapes, `auth` in the fields that are
/// made for them.
final class Secrets implements Inspector {
    /// Where an allowed host is shown a credential in the ordinary way.
    private static final Set<String> MADE_FOR_THEM = Set.of(
            "authorization",
            "proxy-authorization",
            "cookie",
            "x-api-key",
            "api-key",
            "apikey",
            "x-goog-api-key",
            "x-auth-token",
            "x-access-token",
            "private-token",
            "job-token",
            "deploy-token",
            "x-amz-security-token",
            "x-vault-token",
            "x-shopify-access-token",
            "x-figma-token",
            "npm-auth-token");

    /// Of places that were told, so many are remembered.
    private static final int MOST_KNOWN = 256;

    private final Reaction plain;
    private final Reaction encoded;
    private final Reaction auth;

    Secrets(Reaction plain, Reaction encoded, Reaction auth) {
        this.plain = plain;
        this.encoded = encoded;
        this.auth = auth;
    }

    boolean isOn() {
        return plain != Reaction.OFF || encoded != Reaction.OFF || auth != Reaction.OFF;
    }

    @Override
    public String name() {
        return "secrets";
    }

    @Override
    public Look begin(Message message) {
        return message.direction() == Message.Direction.REQUEST ? new Search(message) : new Look() {};
    }

    /// What is looked at.
    private enum Place {
        HEAD,
        AUTH,
        BODY
    }

    private final class Search implements Look {
        private final Message message;
        private final List<Sighting> seen = new ArrayList<>();
        private final Credentials credentials = new Credentials(this::saw);
        private final Set<Long> plainAt = new HashSet<>();
        private Place place = Place.HEAD;

        Search(Message message) {
            this.message = message;
        }

        @Override
        public Verdict head() {
            look(message.target());
            return look(message.fields());
        }

        @Override
        public Verdict trailers(List<Map.Entry<String, String>> fields) {
            return look(fields);
        }

        private Verdict look(List<Map.Entry<String, String>> fields) {
            for (Map.Entry<String, String> field : fields) {
                boolean isMadeForThem = MADE_FOR_THEM.contains(field.getKey().toLowerCase(Locale.ROOT));
                place = isMadeForThem ? Place.AUTH : Place.HEAD;
                look(field.getValue());
            }
            place = Place.BODY;
            return taken();
        }

        private void look(String text) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            credentials.next(bytes, 0, bytes.length);
            credentials.end();
            plainAt.clear();
        }

        /// What stands there as it is, is read once more near an escape.
        private void saw(String kind, int layers, long at) {
            if (layers == 0 && plainAt.size() < MOST_KNOWN) {
                plainAt.add(at);
            } else if (plainAt.contains(at)) {
                return;
            }
            long where = place == Place.BODY ? at : 0;
            if (place == Place.AUTH) {
                see(auth, "auth." + kind, where);
            } else {
                see(layers == 0 ? plain : encoded, (layers == 0 ? "secrets." : "encoded.") + kind, where);
            }
        }

        private void see(Reaction reaction, String kind, long at) {
            Reactions.severity(reaction).ifPresent(severity -> seen.add(new Sighting(severity, kind, at)));
        }

        @Override
        public Verdict next(ByteBuffer piece) {
            credentials.next(piece);
            return taken();
        }

        @Override
        public Verdict end() {
            credentials.end();
            return taken();
        }

        @Override
        public long clearedTo() {
            return plain == Reaction.BLOCK || encoded == Reaction.BLOCK ? credentials.clearedTo() : Long.MAX_VALUE;
        }

        private Verdict taken() {
            if (seen.isEmpty()) {
                return Verdict.ALLOW;
            }
            var verdict = new Verdict(seen);
            seen.clear();
            return verdict;
        }
    }
}
