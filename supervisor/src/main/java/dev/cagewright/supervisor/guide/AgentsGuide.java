package dev.cagewright.supervisor.guide;

import dev.cagewright.egress.desk.PolicyDesk;
import java.util.List;
import java.util.Optional;

/// The text that tells a program, or the model behind it, how to live in its cage: how a refusal reads, what it may do
/// about it, how it asks for more. Only what is true of the run stands in it; nothing of the host does.
///
/// @param net what there is of a network
/// @param programs the only ones that may start; empty optional for no such limit
/// @param variables those that hold decoys of secrets
public record AgentsGuide(Net net, Optional<List<String>> programs, List<String> variables) {
    /// More names of programs or variables are counted only.
    private static final int MOST_NAMED = 40;

    /// What a cage has of a network.
    public enum Net {
        NONE,
        /// A gateway, and nothing more to be had.
        ALLOWLIST,
        /// A gateway that takes requests for more.
        ASKING
    }

    public AgentsGuide {
        programs = programs.map(List::copyOf);
        variables = List.copyOf(variables);
    }

    /// In Markdown, ASCII.
    public String text() {
        var text = new StringBuilder("""
                # You run in a Cagewright cage

                A policy decides what this process and everything it starts may do. A refusal is a decision, not a fault of
                the machine: trying again, or another way to the same, is refused again and recorded. Read why, do the
                rest of your task, and tell the person who started you what you needed.

                ## How a refusal reads

                - A file: `Permission denied` (EACCES), `Read-only file system` (EROFS), or it is not there. You may write
                  in $TMPDIR and where the policy says so, usually in the folder that you started in. Files that other
                  programs would obey (.git/hooks, shell start-up files, agent and editor configuration) are guarded
                  even there.
                """);
        text.append(programText());
        text.append(net == Net.NONE ? NO_NETWORK : NETWORK);
        text.append("""
                - `Operation not permitted` (EPERM), or a function that is not implemented: cages have no such system call.
                """);
        secrets(text);
        if (net != Net.NONE) {
            text.append(REACH);
            text.append(net == Net.ASKING ? ASK : NO_ASKING);
        }
        return text.toString();
    }

    private String programText() {
        return programs.map(names -> "- A program: `Permission denied` when it starts. Only these may start: "
                        + named(names) + ".\n")
                .orElse("");
    }

    private void secrets(StringBuilder text) {
        if (!variables.isEmpty()) {
            text.append("- Keys: ").append(named(variables)).append("""
                     hold placeholders. Use them as if they were the keys: the real ones
                      are put into requests on their way out, for the hosts they are meant for. Anywhere else the request is
                      refused (type `credential`).
                    """.stripIndent());
        }
    }

    private static String named(List<String> names) {
        var shown = String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())));
        return names.size() > MOST_NAMED ? shown + " and " + (names.size() - MOST_NAMED) + " more" : shown;
    }

    private static final String NO_NETWORK = """
            - The network: there is none in this run. Every connection fails, and every name.
            """;

    private static final String NETWORK = """
            - The network: a request that is not allowed is answered by the cage itself, inside TLS too, with a status such
              as 403 and a body of `application/problem+json`; nothing was sent. `detail` says why, `fix` what a policy
              would have to say, `decision` is its name, and `instance` is where you can read it again. The last word of
              `type` says what kind it is:
              `denied` no rule allows it; `budget` it is used up, `detail` says until when; `inspection` what you sent looks
              like a secret or worse; `address` the name leads where it may not; `upstream` (502) it is allowed, but the
              server could not be reached: that alone is worth another try.
            - A name that leads to 198.51.100.1 is one that you may not reach. Raw sockets, UDP and ping do not work.
            """;

    private static final String REACH = """

            ## What you may reach

                curl -s BASEallowlist

            or the same with any other client of HTTP. It lists hosts, methods, paths, what is left of budgets, and what a
            person has to agree to first (such a request simply takes until they answer). For one refusal:
            `curl -s BASEdecisions/ID`.
            """.replace("BASE", PolicyDesk.BASE);

    private static final String ASK = """

            ## How to ask for more

                curl -s BASEallowlist/requests -H 'Content-Type: application/json' \\
                  -d '{"host": "api.example.com", "methods": ["GET"], "paths": ["/v1/**"], "why": "what for", "for": "15m"}'

            Ask for one host and no more methods, paths and time than you need, and say why in a sentence that a person can
            judge. `state` says what came of it:
            - `granted` (201): make your request now; `until` says how long it holds.
            - `pending` (202): a person is asked. Do something else, and GET its `status_url` every few seconds.
            - `denied` (403): `reason` says why. Do not ask for the same again; tell the person who started you.
            """.replace("BASE", PolicyDesk.BASE);

    private static final String NO_ASKING = """

            Nothing more is granted in this run. If you need something that is refused, finish what you can and tell the
            person who started you: the `decision` and the `fix` of the refusal.
            """;
}
