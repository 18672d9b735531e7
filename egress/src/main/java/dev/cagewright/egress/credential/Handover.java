package dev.cagewright.egress.credential;

import dev.cagewright.egress.login.TokenSource;
import dev.cagewright.policy.action.Action;
import dev.cagewright.secrets.place.BasicPair;
import dev.cagewright.secrets.place.Replacing;
import dev.cagewright.secrets.place.Sighting;
import dev.cagewright.secrets.place.Writing;
import dev.cagewright.secrets.redact.Spelling;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What the head of one request hands over: which secrets it uses, whether it may, and the head with the values in it.
/// For one event loop.
public final class Handover {
    private final Credentials credentials;
    private final Request request;
    private final Set<Integer> uses = new TreeSet<>();
    private @Nullable Misuse misuse;

    Handover(Credentials credentials, Request request) {
        this.credentials = credentials;
        this.request = request;
        if (!credentials.isEmpty()) {
            look();
        }
    }

    private void look() {
        var authority = request.authority();
        credentials.inName(authority.host().value()).ifPresent(name -> misused(Misuse.inName(name)));
        var head = request.head();
        read(new Place.Path(), head.path());
        head.query().ifPresent(query -> read(new Place.Query(), query));
        for (var field : head.fields().all()) {
            read(new Place.Header(Optional.of("")), field.getKey());
            read(new Place.Header(Optional.of(field.getKey())), field.getValue());
        }
    }

    private void read(Place place, String text) {
        var pair = place instanceof Place.Header ? BasicPair.read(text) : Optional.<byte[]>empty();
        var bytes = pair.orElseGet(() -> latin1(text));
        for (var sighting : credentials.decoys().in(bytes)) {
            take(place, sighting);
        }
    }

    private void take(Place place, Sighting sighting) {
        var secret = credentials.bound(sighting.secret());
        var standing = request.standing(secret, place);
        if (standing != Request.Standing.BOUND) {
            misused(Misuse.of(credentials.name(sighting.secret()), request, place, standing));
        } else if (!isWritable(place, sighting.spelling())) {
            misused(Misuse.unwritable(credentials.name(sighting.secret()), place, "in another spelling"));
        } else if (place instanceof Place.Header && !isForFields(secret)) {
            misused(Misuse.unwritable(
                    credentials.name(sighting.secret()), place, "and a header cannot carry the value's bytes"));
        } else {
            uses.add(sighting.secret());
        }
    }

    private void misused(Misuse seen) {
        if (misuse == null) {
            misuse = seen;
        }
    }

    private static boolean isWritable(Place place, Spelling spelling) {
        return switch (place) {
            case Place.Header _ -> spelling == Spelling.PLAIN;
            case Place.Query _, Place.Path _ -> spelling == Spelling.PLAIN || spelling == Spelling.PERCENT;
            case Place.Body _ -> false;
        };
    }

    /// RFC 9110 section 5.5.
    private static boolean isForFields(Bound secret) {
        return secret.secret().value().lend(value -> {
            boolean isFit = true;
            for (byte each : value) {
                isFit &= each == '\t' || ((each & 0xff) >= ' ' && each != 0x7f);
            }
            return isFit;
        });
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Are there no secrets, so that there is nothing to do?
    public boolean isIdle() {
        return credentials.isEmpty();
    }

    /// What has to be judged before the head goes out.
    public List<Action.SecretUse> uses() {
        return uses.stream().map(this::use).toList();
    }

    Action.SecretUse use(int secret) {
        return new Action.SecretUse(
                credentials.name(secret), request.authority().host());
    }

    /// What the head does that it may not; then it goes nowhere.
    public Optional<Misuse> misuse() {
        return Optional.ofNullable(misuse);
    }

    /// The head as the origin gets it. Nothing but the buffer that it is written to may see it.
    ///
    /// @param composed with decoys; not changed
    /// @throws MisusedException if a decoy is left in it
    HttpRequest inject(HttpRequest composed) throws MisusedException {
        var fields =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        for (var field : composed.headers()) {
            fields.add(field.getKey(), field(field.getValue()));
        }
        return new DefaultHttpRequest(composed.protocolVersion(), composed.method(), target(composed.uri()), fields);
    }

    private CharSequence field(String text) throws MisusedException {
        var pair = BasicPair.read(text);
        var bytes = pair.orElseGet(() -> latin1(text));
        var seen = credentials.decoys().in(bytes);
        if (seen.isEmpty()) {
            return text;
        }
        var written = Replacing.in(bytes, seen, credentials.secrets(), Writing.PLAIN);
        requireClean(written);
        return new AsciiString(pair.isPresent() ? BasicPair.field(written) : written, /* copy= */ false);
    }

    private String target(String target) throws MisusedException {
        int mark = target.indexOf('?');
        var path = mark < 0 ? target : target.substring(0, mark);
        var query = mark < 0 ? "" : target.substring(mark);
        return part(path, Writing.SEGMENT) + part(query, Writing.COMPONENT);
    }

    private String part(String text, Writing writing) throws MisusedException {
        var bytes = latin1(text);
        var seen = credentials.decoys().in(bytes);
        if (seen.isEmpty()) {
            return text;
        }
        var written = Replacing.in(bytes, seen, credentials.secrets(), writing);
        requireClean(written);
        return new String(written, StandardCharsets.ISO_8859_1);
    }

    private void requireClean(byte[] written) throws MisusedException {
        var left = credentials.decoys().in(written);
        if (!left.isEmpty()) {
            throw new MisusedException(Misuse.elsewhere(
                    credentials.name(left.getFirst().secret()),
                    "decoys.left",
                    "a decoy is left in the request after the values were put in"));
        }
    }

    /// Who takes the tokens of its answer; empty where nobody logs in.
    public Optional<TokenSource> logins() {
        return credentials.logins(request);
    }

    Credentials credentials() {
        return credentials;
    }

    Request request() {
        return request;
    }

    /// Does the head use any secret?
    public boolean carries() {
        return !uses.isEmpty();
    }
}
