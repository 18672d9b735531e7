package dev.cagewright.egress.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;
import java.util.Set;

/// What may stand behind a body, RFC 9110 section 6.5.1: nothing that says how the message is framed, whom it is for,
/// or
/// who sends it.
public final class Trailers {
    private static final Set<String> OF_THE_HEAD = Set.of(
            "authorization",
            "connection",
            "content-length",
            "cookie",
            "expect",
            "host",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private Trailers() {}

    /// Is it the name of a field that belongs into the head? In any case.
    public static boolean belongsIntoHead(String name) {
        return OF_THE_HEAD.contains(name.toLowerCase(Locale.ROOT));
    }

    static void require(HttpHeaders fields) throws MalformedException {
        if (fields.names().stream().anyMatch(Trailers::belongsIntoHead)) {
            throw new MalformedException("a trailer that belongs into the head");
        }
    }
}
