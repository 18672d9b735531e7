package dev.cagewright.egress.credential;

import dev.cagewright.egress.credential.packed.PackedBody;
import dev.cagewright.egress.inspect.UnreadableException;
import dev.cagewright.secrets.place.Replacing;
import dev.cagewright.secrets.place.Sighting;
import dev.cagewright.secrets.place.Writing;
import dev.cagewright.secrets.redact.Patterns;
import dev.cagewright.secrets.redact.Spelling;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The body of one request on its way to the origin, in pieces cut anywhere: decoys are found in it, and values put in
/// where they may stand. For one event loop.
final class Outgoing {
    private static final byte[] NOTHING = {};

    private final Handover handover;
    private final Media media;
    private final Set<Integer> uses = new TreeSet<>();
    private byte[] held = NOTHING;

    /// Of a body that is compressed, and can be read here.
    private @Nullable PackedBody packed;

    /// @param fields of the request
    /// @throws MisusedException if the body cannot be read, and a secret may stand in it
    Outgoing(Handover handover, HttpHeaders fields) throws MisusedException {
        this.handover = handover;
        boolean isPacked = fields.contains(HttpHeaderNames.CONTENT_ENCODING);
        this.media = isPacked ? Media.BINARY : Media.of(fields);
        if (isPacked) {
            var codings = String.join(",", fields.getAll(HttpHeaderNames.CONTENT_ENCODING));
            try {
                packed = PackedBody.of(codings, handover.credentials().decoys());
            } catch (UnreadableException _) {
                requireNoneBound();
            }
        }
    }

    /// Where no secret may stand in the body, one that cannot be read passes as it is: a decoy in it is worth nothing.
    private void requireNoneBound() throws MisusedException {
        var bound = handover.credentials().firstBound(this::isBound);
        if (bound.isPresent()) {
            throw new MisusedException(Misuse.unreadable(bound.get()));
        }
    }

    private void unpack(byte[] piece, Patterns.Rest rest) throws MisusedException {
        if (packed == null) {
            return;
        }
        try {
            for (var sighting : packed.next(piece)) {
                require(sighting);
            }
            if (rest == Patterns.Rest.ENDS) {
                for (var sighting : packed.end()) {
                    require(sighting);
                }
            }
        } catch (UnreadableException _) {
            close();
            requireNoneBound();
        }
    }

    void close() {
        if (packed != null) {
            packed.close();
            packed = null;
        }
    }

    /// May a secret stand in this body, so that its length is not known before all of it is?
    boolean mayChange() {
        return writing().isPresent() && handover.credentials().anyBound(secret -> isBound(secret));
    }

    private boolean isBound(Bound secret) {
        return handover.request().standing(secret, new Place.Body()) == Request.Standing.BOUND;
    }

    private Optional<Writing> writing() {
        return switch (media) {
            case JSON -> Optional.of(Writing.JSON);
            case FORM -> Optional.of(Writing.COMPONENT);
            case EVENTS, TEXT, BINARY -> Optional.empty();
        };
    }

    /// Takes a piece and returns what may go on, with values in it.
    ///
    /// @throws MisusedException if there is a decoy that may not be there
    byte[] next(byte[] piece, Patterns.Rest rest) throws MisusedException {
        unpack(piece, rest);
        var bytes = joined(piece);
        var seen = new ArrayList<Sighting>(0);
        int decided = handover.credentials().decoys().search(bytes, 0, bytes.length, rest, seen::add);
        for (var sighting : seen) {
            require(sighting);
            uses.add(sighting.secret());
        }
        held = decided == bytes.length ? NOTHING : Arrays.copyOfRange(bytes, decided, bytes.length);
        var free = decided == bytes.length ? bytes : Arrays.copyOf(bytes, decided);
        return seen.isEmpty() ? free : replaced(free, seen);
    }

    private byte[] joined(byte[] piece) {
        if (held.length == 0) {
            return piece;
        }
        var joined = Arrays.copyOf(held, held.length + piece.length);
        System.arraycopy(piece, 0, joined, held.length, piece.length);
        return joined;
    }

    private byte[] replaced(byte[] free, List<Sighting> seen) {
        return Replacing.in(
                free, seen, handover.credentials().secrets(), writing().orElseThrow());
    }

    private void require(Sighting sighting) throws MisusedException {
        var credentials = handover.credentials();
        var name = credentials.name(sighting.secret());
        var place = new Place.Body();
        var standing = handover.request().standing(credentials.bound(sighting.secret()), place);
        if (standing != Request.Standing.BOUND) {
            throw new MisusedException(Misuse.of(name, handover.request(), place, standing));
        }
        if (writing().isEmpty()) {
            throw new MisusedException(
                    Misuse.unwritable(name, place, "and the body is neither JSON nor a form, or is compressed"));
        }
        if (!isWritable(sighting.spelling())) {
            throw new MisusedException(Misuse.unwritable(name, place, "in another spelling"));
        }
    }

    private boolean isWritable(Spelling spelling) {
        return spelling == Spelling.PLAIN
                || (media == Media.JSON && spelling == Spelling.ESCAPED)
                || (media == Media.FORM && spelling == Spelling.PERCENT);
    }

    /// The secrets that were put in since this was asked last.
    Set<Integer> takeUses() {
        var taken = new TreeSet<>(uses);
        uses.clear();
        return taken;
    }

    /// A decoy in trailers goes nowhere.
    ///
    /// @throws MisusedException if there is one
    void requireClean(HttpHeaders trailers) throws MisusedException {
        for (var field : trailers) {
            for (var text : List.of(field.getKey(), field.getValue())) {
                var seen = handover.credentials().decoys().in(text.getBytes(StandardCharsets.ISO_8859_1));
                if (!seen.isEmpty()) {
                    var name = handover.credentials().name(seen.getFirst().secret());
                    throw new MisusedException(Misuse.elsewhere(
                            name, "decoys.trailer", "the decoy of the secret " + name + " is behind the body"));
                }
            }
        }
    }
}
