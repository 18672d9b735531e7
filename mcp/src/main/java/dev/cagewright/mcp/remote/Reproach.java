package dev.cagewright.mcp.remote;

import dev.cagewright.supervisor.fetch.Problem;

/// What was wrong with an answer, why, and what to do: clauses that go on behind a server's name.
final class Reproach {
    private static final int LONGEST = 200;

    private Reproach() {}

    /// What the gateway said instead of the server.
    static String of(Problem problem) {
        var decision = problem.decision().map(id -> " (decision " + id + ")").orElse("");
        if (!problem.isDenial()) {
            return "could not be had: " + problem.detail() + decision;
        }
        return "is not let be asked: " + problem.detail() + decision
                + (problem.fix().isEmpty() ? "" : "; what would allow it: " + String.join("; ", problem.fix()));
    }

    /// @param method that was asked for
    static String of(Hearing hearing, String method) {
        int status = hearing.status();
        var type = hearing.type().isEmpty() ? "nothing" : visible(hearing.type());
        if (hearing.isStream()) {
            return "ended its stream before it answered";
        }
        if (hearing.isGood()) {
            return "answered with " + type + " instead of a message (HTTP " + status
                    + "): see whether the address is its Streamable HTTP end point";
        }
        if (status / 100 == 3) {
            return "sends elsewhere (HTTP " + status + " to "
                    + hearing.field("Location").map(Reproach::visible).orElse("nowhere")
                    + "), and no redirect is followed: give that address if it is the right one";
        }
        return "refused (HTTP " + status + ")" + advice(status, method);
    }

    private static String advice(int status, String method) {
        return switch (status) {
            case 401, 403 ->
                ": it may want a log-in; give a header with a secret of the policy (--header 'Authorization: Bearer"
                        + " ${NAME}'). OAuth is not offered";
            case 400, 404, 405, 406 ->
                method.equals("initialize")
                        ? ": see whether the address is its Streamable HTTP end point; the transport before that"
                                + " (HTTP+SSE, 2024-11-05) is not spoken"
                        : "";
            case 429, 503 -> ": it is busy; ask again later";
            default -> "";
        };
    }

    private static String visible(String text) {
        return text.substring(0, Math.min(text.length(), LONGEST)).replaceAll("[^ -~]", "?");
    }
}
