package dev.cagewright.supervisor.har;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Field;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/// The cookies of heads, RFC 6265. Their values were not kept.
final class HarCookies {
    private HarCookies() {}

    /// Of `Cookie`.
    static JsonArray asked(List<Field> fields) {
        var cookies = Json.array();
        for (Field field : fields) {
            if (field.name().equalsIgnoreCase("cookie")) {
                for (String pair : field.value().split(";", -1)) {
                    cookies.add(named(pair.strip()).build());
                }
            }
        }
        return cookies.build();
    }

    /// Of `Set-Cookie`.
    static JsonArray told(List<Field> fields) {
        var cookies = Json.array();
        for (Field field : fields) {
            if (field.name().equalsIgnoreCase("set-cookie")) {
                cookies.add(set(field.value()));
            }
        }
        return cookies.build();
    }

    private static JsonObject.Builder named(String pair) {
        int equals = pair.indexOf('=');
        return Json.object()
                .put("name", equals < 0 ? "" : pair.substring(0, equals).strip())
                .put("value", equals < 0 ? pair : pair.substring(equals + 1).strip());
    }

    private static JsonObject set(String value) {
        var parts = value.split(";", -1);
        var cookie = named(parts[0]);
        var seen = new HashSet<String>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            var name = (equals < 0 ? parts[i] : parts[i].substring(0, equals))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            if (seen.add(name)) {
                attribute(
                        cookie,
                        name,
                        equals < 0 ? "" : parts[i].substring(equals + 1).strip());
            }
        }
        return cookie.build();
    }

    private static void attribute(JsonObject.Builder cookie, String name, String value) {
        switch (name) {
            case "path" -> cookie.put("path", value);
            case "domain" -> cookie.put("domain", value);
            case "httponly" -> cookie.put("httpOnly", true);
            case "secure" -> cookie.put("secure", true);
            case "samesite" -> cookie.put("sameSite", value);
            case "expires" -> expires(cookie, value);
            default -> {}
        }
    }

    private static void expires(JsonObject.Builder cookie, String value) {
        try {
            var date = ZonedDateTime.parse(value.replace('-', ' '), DateTimeFormatter.RFC_1123_DATE_TIME);
            cookie.put("expires", date.toInstant().toString());
        } catch (DateTimeException _) {
            cookie.put("comment", "expires: " + value);
        }
    }
}
