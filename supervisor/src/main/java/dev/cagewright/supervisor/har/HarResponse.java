package dev.cagewright.supervisor.har;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Head;
import java.util.List;

/// The response of an entry.
final class HarResponse {
    private HarResponse() {}

    /// @param body what was kept of it
    /// @param whole its size as it passed, -1 if nobody knows
    static JsonObject of(Head.Answer head, byte[] body, long whole) {
        return Json.object()
                .put("status", head.status())
                .put("statusText", head.reason())
                .put("httpVersion", head.version())
                .put("cookies", HarCookies.told(head.fields()))
                .put("headers", HarRequest.headers(head.fields()))
                .put("content", content(ReadableBody.of(body, whole, head.fields()), body.length, whole))
                .put(
                        "redirectURL",
                        ReadableBody.value(head.fields(), "location").orElse(""))
                .put("headersSize", -1)
                .put("bodySize", whole)
                .build();
    }

    private static JsonObject content(ReadableBody body, long kept, long whole) {
        var json = Json.object().put("size", body.size());
        if (whole == kept && body.size() != whole) {
            json.put("compression", body.size() - whole);
        }
        json.put("mimeType", body.type());
        if (kept > 0) {
            json.put("text", body.text());
            if (body.form() == ReadableBody.Form.BASE64) {
                json.put("encoding", "base64");
            }
        }
        if (!body.notes().isEmpty()) {
            json.put("comment", String.join("; ", body.notes()));
        }
        return json.build();
    }

    /// As browsers write an answer that never came.
    static JsonObject none(String why) {
        return Json.object()
                .put("status", 0)
                .put("statusText", "")
                .put("httpVersion", "")
                .put("cookies", new JsonArray(List.of()))
                .put("headers", new JsonArray(List.of()))
                .put(
                        "content",
                        Json.object()
                                .put("size", 0)
                                .put("mimeType", "x-unknown")
                                .build())
                .put("redirectURL", "")
                .put("headersSize", -1)
                .put("bodySize", -1)
                .put("_error", why)
                .build();
    }
}
