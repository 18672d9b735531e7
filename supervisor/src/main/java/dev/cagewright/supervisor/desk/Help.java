package dev.cagewright.supervisor.desk;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.desk.PolicyDesk;
import java.util.List;

/// What the desk answers, in short.
final class Help {
    private Help() {}

    static JsonObject of(String session, SessionDesk.Asking asking) {
        var paths = Json.object()
                .put("GET /v1/allowlist", "what this cage may reach, what is left of its budgets, what needs approval")
                .put("GET /v1/decisions/ID", "why a request of this cage was refused, by the \"decision\" of its 403");
        if (asking == SessionDesk.Asking.POSSIBLE) {
            paths.put(
                            "POST /v1/allowlist/requests",
                            "asks for one host for a time: 201 granted, 202 pending, 403 denied")
                    .put("GET /v1/requests/ID", "what became of what was asked for");
        }
        var help = Json.object()
                .put("about", "The policy API of this cage. Everything that is not on the allowlist is denied.")
                .put("session", session)
                .put("base", PolicyDesk.BASE)
                .put("paths", paths.build());
        if (asking == SessionDesk.Asking.POSSIBLE) {
            help.put("ask_with", example("HOST", "/PATH/**").build());
        } else {
            help.put("asking", "nothing can be granted in this run; the policy's owner can change the policy");
        }
        return help.build();
    }

    /// The body of a request that asks for more.
    static JsonObject.Builder example(String host, String path) {
        return Json.object()
                .put("host", host)
                .put("methods", Json.of(List.of("GET")))
                .put("paths", Json.of(List.of(path)))
                .put("why", "what it is needed for, in a sentence")
                .put("for", "15m");
    }
}
