package dev.cagewright.egress.http;

import dev.cagewright.policy.action.RequestPath;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a request asks for, as one value: what is judged, and what the request to the origin is composed
/// from.
///
/// @param method as it came, an RFC 9110 token; the origin gets it in capitals, as it is judged
/// @param authority whom it is for: `Host`, `:authority`, the CONNECT target or the absolute URL, which agree; empty
/// only
///     for HTTP/1.0 without `Host`
/// @param path in its one spelling, [RequestPath]; `/` for CONNECT
/// @param query what stood behind `?`, byte for byte
/// @param fields as they came
/// @param forwarded those that travel on
public record RequestHead(
        String method,
        Form form,
        Optional<Authority> authority,
        String path,
        Optional<String> query,
        Fields fields,
        HttpHeaders forwarded) {

    /// How the target was written.
    public enum Form {
        /// `/path`: to the origin itself.
        ORIGIN,
        /// `http://host/path`: to a proxy.
        ABSOLUTE,
        /// `host:port` of CONNECT.
        TUNNEL
    }

    /// Reads the head of `request`.
    ///
    /// @param defaultPort the port of an authority that names none
    /// @throws MalformedException if it can be read in two ways or names nobody
    public static RequestHead of(HttpRequest request, int defaultPort) throws MalformedException {
        var method = request.method().name().toUpperCase(Locale.ROOT);
        var fields = new Fields(request.headers(), request.protocolVersion());
        var host = host(request, defaultPort);
        if (request.method().equals(HttpMethod.CONNECT)) {
            var target = authority(() -> Authority.parseWithPort(request.uri()));
            var named = host(request, target.port());
            requireSame(named, target);
            return new RequestHead(
                    method, Form.TUNNEL, Optional.of(target), "/", Optional.empty(), fields, fields.forwarded());
        }
        if (request.uri().startsWith("/")) {
            return target(method, Form.ORIGIN, host, request.uri(), fields);
        }
        return absolute(method, request, fields);
    }

    private static RequestHead absolute(String method, HttpRequest request, Fields fields) throws MalformedException {
        try {
            var form = AbsoluteForm.parse(request.uri());
            if (!form.scheme().equals("http")) {
                throw new MalformedException("the target is neither a path nor an http:// address");
            }
            requireSame(host(request, 80), form.authority());
            return target(method, Form.ABSOLUTE, Optional.of(form.authority()), form.pathAndQuery(), fields);
        } catch (BadAuthorityException e) {
            throw new MalformedException(String.valueOf(e.getMessage()));
        }
    }

    private static RequestHead target(
            String method, Form form, Optional<Authority> authority, String target, Fields fields)
            throws MalformedException {
        int mark = target.indexOf('?');
        var path = mark < 0 ? target : target.substring(0, mark);
        var query = mark < 0 ? Optional.<String>empty() : Optional.of(target.substring(mark + 1));
        if (query.filter(text -> text.indexOf('#') >= 0).isPresent()) {
            throw new MalformedException("the target has a fragment");
        }
        Overrides.require(fields, method, target);
        try {
            return new RequestHead(
                    method, form, authority, RequestPath.canonical(path), query, fields, fields.forwarded());
        } catch (IllegalArgumentException e) {
            throw new MalformedException(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<Authority> host(HttpRequest request, int defaultPort) throws MalformedException {
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1) {
            throw new MalformedException("more than one Host");
        }
        if (hosts.isEmpty()) {
            if (request.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
                throw new MalformedException("no Host");
            }
            return Optional.empty();
        }
        return Optional.of(authority(() -> Authority.parse(hosts.getFirst(), defaultPort)));
    }

    private interface Reading {
        Authority read() throws BadAuthorityException;
    }

    private static Authority authority(Reading reading) throws MalformedException {
        try {
            return reading.read();
        } catch (BadAuthorityException e) {
            throw new MalformedException(String.valueOf(e.getMessage()));
        }
    }

    private static void requireSame(Optional<Authority> host, Authority target) throws MalformedException {
        if (host.isPresent() && !host.get().equals(target)) {
            throw new MalformedException("Host and the target name two hosts");
        }
    }

    /// Path and query as the origin gets them.
    public String target() {
        return path + query.map(text -> "?" + text).orElse("");
    }

    /// Does it ask to become a WebSocket, RFC 6455 section 4.1? Any other protocol, and one behind a body, is not
    /// offered to the origin.
    public boolean asksForWebSocket() {
        return method.equals("GET") && fields.hasUpgradeTo("websocket") && !fields.announcesBody();
    }
}
