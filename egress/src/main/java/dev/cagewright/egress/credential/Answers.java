package dev.cagewright.egress.credential;

import dev.cagewright.secrets.redact.Redaction;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Heads of answers, and what is asked for in requests so that their answers can be read.
final class Answers {
    /// What can be decoded here.
    private static final Set<String> CODINGS = Set.of("gzip", "x-gzip", "deflate", "identity");

    /// Of bytes that may not be the ones that the cage gets, RFC 9530 and RFC 3230.
    private static final List<String> DIGESTS = List.of("digest", "content-digest", "repr-digest", "content-md5");

    private static final String WEAK = "W/";

    private Answers() {}

    /// Asks for nothing that cannot be read on the way back.
    ///
    /// @param fields of a request
    static void narrow(HttpHeaders fields) {
        var asked = String.join(",", fields.getAll(HttpHeaderNames.ACCEPT_ENCODING));
        if (!asked.isEmpty()) {
            var kept = new StringBuilder();
            for (String one : asked.split(",", -1)) {
                if (CODINGS.contains(one.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))) {
                    kept.append(kept.isEmpty() ? "" : ", ").append(one.strip());
                }
            }
            fields.set(HttpHeaderNames.ACCEPT_ENCODING, kept.isEmpty() ? "identity" : kept.toString());
        }
        strengthen(fields);
        fields.remove(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS); // a deflated message could not be read
    }

    /// Takes values out of names, values and the reason phrase.
    ///
    /// @return whether there were any
    static boolean redact(HttpResponse answer, Redaction redaction) {
        var reason = answer.status().reasonPhrase();
        var said = redaction.field(reason);
        boolean hadAny = !said.equals(reason);
        if (hadAny) {
            answer.setStatus(new HttpResponseStatus(answer.status().code(), said));
        }
        return redact(answer.headers(), redaction) || hadAny;
    }

    /// The same for the fields of a head, or trailers.
    static boolean redact(HttpHeaders fields, Redaction redaction) {
        boolean hasAny = false;
        for (var field : fields) {
            hasAny |= isOther(field.getKey(), redaction) || isOther(field.getValue(), redaction);
        }
        if (hasAny) {
            List<Map.Entry<String, String>> all = fields.entries();
            fields.clear();
            all.forEach(field -> fields.add(redaction.field(field.getKey()), redaction.field(field.getValue())));
        }
        return hasAny;
    }

    private static boolean isOther(String text, Redaction redaction) {
        return !redaction.field(text).equals(text);
    }

    /// Says nothing of exact bytes where some may be changed.
    static void leaveDigestsOut(HttpHeaders fields) {
        DIGESTS.forEach(fields::remove);
    }

    /// The bytes are others: a tag says what they mean, and no part of them can be asked for.
    static void weaken(HttpHeaders fields) {
        leaveDigestsOut(fields);
        fields.remove(HttpHeaderNames.ACCEPT_RANGES);
        var tag = fields.get(HttpHeaderNames.ETAG);
        if (tag != null && !tag.startsWith(WEAK)) {
            fields.set(HttpHeaderNames.ETAG, WEAK + tag);
        }
    }

    /// A tag that was made weak here is the origin's own again where only a strong one is met, RFC 9110 section 13.1.1.
    private static void strengthen(HttpHeaders fields) {
        var tags = fields.get(HttpHeaderNames.IF_MATCH);
        if (tags != null) {
            fields.set(HttpHeaderNames.IF_MATCH, tags.replace(WEAK + "\"", "\""));
        }
    }
}
