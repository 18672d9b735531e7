package dev.cagewright.egress.question;

import dev.cagewright.egress.capture.Unspoken;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.ActionDigest;
import dev.cagewright.policy.gate.Exhibit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A request that a person has to agree to: the action, the whole target, the fields that travel on and the body. What
/// is
/// sent is composed from these same values, so it cannot change in between. Safe for all threads.
///
/// @param security whether it goes inside TLS
/// @param head as it came
/// @param body all of it, kept back
public record RequestExhibit(Action.HttpRequest action, Security security, RequestHead head, BodyView body)
        implements Exhibit {
    /// How the request travels.
    public enum Security {
        TLS,
        CLEAR
    }

    @Override
    public ByteString digest() {
        var digest = ActionDigest.begin(action).text(security.name()).text(head.target());
        var fields = head.forwarded();
        digest.number(fields.size());
        fields.forEach(field -> digest.text(field.getKey()).text(field.getValue()));
        return digest.number(body.length()).bytes(body.sha256()).end();
    }

    @Override
    public List<String> lines() {
        var lines = new ArrayList<String>();
        head.query().ifPresent(query -> lines.add(Unspoken.url(head.target())));
        if (security == Security.CLEAR) {
            lines.add("in the clear, without TLS");
        }
        if (head.asksForWebSocket()) {
            lines.add("opens a WebSocket: what is said in it is not shown and not covered");
        }
        lines.addAll(body.lines());
        Unspoken.fields(head.forwarded().entries()).forEach(field -> lines.add(field.name() + ": " + field.value()));
        return lines;
    }

    /// Of a request that began before anybody knew that it needs approval: it is not shown to anybody.
    public static Exhibit late() {
        return new Exhibit() {
            @Override
            public ByteString digest() throws IOException {
                throw new IOException("the policy began to ask for approval while it was on its way; send it again");
            }

            @Override
            public List<String> lines() {
                return List.of();
            }
        };
    }
}
