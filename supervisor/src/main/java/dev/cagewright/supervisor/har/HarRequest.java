package dev.cagewright.supervisor.har;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Field;
import dev.cagewright.egress.capture.Head;
import java.util.List;

/// The request of an entry.
final class HarRequest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private HarRequest() {}

    /// @param body what was kept of it
    /// @param whole its size as it passed, -1 if nobody knows
    static JsonObject of(Head.Request head, byte[] body, long whole) {
        var json = Json.object()
                .put("method", head.method())
                .put("url", HarUrl.of(head.url()))
                .put("httpVersion", head.version())
                .put("cookies", HarCookies.asked(head.fields()))
                .put("headers", headers(head.fields()))
                .put("queryString", HarUrl.parameters(HarUrl.query(head.url())));
        if (body.length > 0 || whole > 0) {
            json.put("postData", posted(ReadableBody.of(body, whole, head.fields())));
        }
        return json.put("headersSize", -1).put("bodySize", whole).build();
    }

    /// HAR 1.2 has no place for the coding of what was posted, so it has a name of its own.
    private static JsonObject posted(ReadableBody body) {
        var json = Json.object().put("mimeType", body.type()).put("text", body.text());
        if (body.form() == ReadableBody.Form.BASE64) {
            json.put("_encoding", "base64");
        } else if (body.type().startsWith(FORM)) {
            json.put("params", HarUrl.parameters(body.text()));
        }
        if (!body.notes().isEmpty()) {
            json.put("comment", String.join("; ", body.notes()));
        }
        return json.build();
    }

    static JsonArray headers(List<Field> fields) {
        var array = Json.array();
        fields.forEach(field -> array.add(Json.object()
                .put("name", field.name())
                .put("value", field.value())
                .build()));
        return array.build();
    }
}
