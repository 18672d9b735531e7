package dev.cagewright.egress.http;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The fields of a head, and which of them are for the next hop only (RFC 9110 section 7.6.1).
///
/// @param all as they came
public record Fields(HttpHeaders all, HttpVersion version) {
    /// Their names and values were read strictly.
    private static final HttpHeadersFactory UNCHECKED =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private static final Set<String> ONE_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            "alt-svc");

    /// What `Connection` must not take away.
    private static final Set<String> NOT_ONE_HOP =
            Set.of("authorization", "cache-control", "content-length", "content-type", "cookie", "host");

    /// The fields that travel on, without those of framing and of one hop.
    ///
    /// @throws MalformedException if `Connection` names a field that is for the other end
    public HttpHeaders forwarded() throws MalformedException {
        var named = connectionOptions();
        for (String name : named) {
            if (NOT_ONE_HOP.contains(name)) {
                throw new MalformedException("Connection names a field that is for the other end");
            }
        }
        var kept = UNCHECKED.newHeaders();
        for (Map.Entry<String, String> field : all) {
            var name = field.getKey().toLowerCase(Locale.ROOT);
            if (!ONE_HOP.contains(name) && !named.contains(name) && !name.startsWith("x-http2-")) {
                kept.add(field.getKey(), field.getValue());
            }
        }
        if (all.containsValue(HttpHeaderNames.TE, "trailers", /* ignoreCase= */ true)) {
            kept.set(HttpHeaderNames.TE, "trailers");
        }
        return kept;
    }

    private Set<String> connectionOptions() {
        if (!all.contains(HttpHeaderNames.CONNECTION)) {
            return Set.of();
        }
        var names = new TreeSet<String>();
        for (String value : all.getAll(HttpHeaderNames.CONNECTION)) {
            for (String name : value.split(",", -1)) {
                names.add(FieldLine.trimmed(name).toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    /// Does a request ask for, or an answer agree to, `protocol` and no other?
    public boolean hasUpgradeTo(String protocol) {
        return version.equals(HttpVersion.HTTP_1_1)
                && connectionOptions().contains("upgrade")
                && all.getAll(HttpHeaderNames.UPGRADE).size() == 1
                && protocol.equalsIgnoreCase(all.get(HttpHeaderNames.UPGRADE));
    }

    /// Does a body follow the head?
    public boolean announcesBody() {
        return all.contains(HttpHeaderNames.TRANSFER_ENCODING)
                || all.getAll(HttpHeaderNames.CONTENT_LENGTH).stream().anyMatch(length -> !length.equals("0"));
    }

    /// Does the connection go on after this message?
    public boolean keepsAlive() {
        var options = connectionOptions();
        return version.equals(HttpVersion.HTTP_1_1) ? !options.contains("close") : options.contains("keep-alive");
    }

    /// Will the client wait for a word before it sends the body?
    public boolean expectsContinue() {
        return version.equals(HttpVersion.HTTP_1_1)
                && all.containsValue(HttpHeaderNames.EXPECT, "100-continue", /* ignoreCase= */ true);
    }
}
