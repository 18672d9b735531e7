package dev.cagewright.supervisor.desk;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.desk.DeskReply;

/// What is told instead of a result, as RFC 9457 has it.
final class DeskProblem {
    private DeskProblem() {}

    static DeskReply notFound(String what) {
        return of(404, "There is nothing of this name", what);
    }

    static DeskReply otherMethod(String path, String allowed) {
        return of(405, "The request was not understood", path + " takes " + allowed + " only")
                .with("Allow", allowed);
    }

    static DeskReply malformed(String detail) {
        return of(400, "The request was not understood", detail);
    }

    static DeskReply malformed(BadBodyException wrong) {
        var problem = begun(400, "The request was not understood");
        problem.put("detail", (wrong.at().startsWith("/") ? wrong.at() + ": " : "") + wrong.getMessage());
        if (!wrong.at().isEmpty()) {
            problem.put("at", wrong.at());
        }
        return told(400, problem);
    }

    static DeskReply otherType() {
        return of(
                415,
                "The request's body is of another kind",
                "the body has to be JSON, with the field Content-Type: application/json");
    }

    static DeskReply unrecorded() {
        return of(503, "Nobody answers now", "the audit log cannot be written, and without it nothing is answered");
    }

    private static DeskReply of(int status, String title, String detail) {
        return told(status, begun(status, title).put("detail", detail));
    }

    private static JsonObject.Builder begun(int status, String title) {
        return Json.object()
                .put("type", "urn:cagewright:problem:request")
                .put("title", title)
                .put("status", status);
    }

    private static DeskReply told(int status, JsonObject.Builder problem) {
        return DeskReply.problem(status, problem.build().write() + "\n");
    }
}
