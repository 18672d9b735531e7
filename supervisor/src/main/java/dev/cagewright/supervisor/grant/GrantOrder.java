package dev.cagewright.supervisor.grant;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.egress.address.AddressRange;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.quantity.Field;
import dev.cagewright.supervisor.grant.GrantState.Standing;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What another command wants of a session's grants.
sealed interface GrantOrder {
    /// Does it.
    OrderAnswer on(SessionGrants grants);

    JsonObject toJson();

    /// A person gives one.
    ///
    /// @param addresses the only ones that may be dialled for its host; none means public ones
    /// @param who the account
    record Add(GrantRequest request, List<String> addresses, String who) implements GrantOrder {
        public Add {
            addresses = List.copyOf(addresses);
            for (String address : addresses) {
                if (AddressRange.parse(address).isEmpty()) {
                    throw Field.refusal(
                            "address",
                            address,
                            "an IPv4 or IPv6 address, or one with a prefix length such as 10.0.0.0/8");
                }
            }
        }

        @Override
        public OrderAnswer on(SessionGrants grants) {
            var state = grants.add(request, addresses, who);
            boolean isGiven =
                    state.standing() == Standing.GRANTED && state.until().isPresent();
            return new OrderAnswer(
                    isGiven ? OrderAnswer.Outcome.DONE : OrderAnswer.Outcome.REFUSED,
                    Optional.of(state.id()),
                    state.reason(),
                    state.until());
        }

        @Override
        public JsonObject toJson() {
            return GrantRecord.opened(Json.object().put("order", "add"), request.opening())
                    .put("addresses", addresses)
                    .put("why", request.why())
                    .put("millis", request.time().toMillis())
                    .put("who", who)
                    .build();
        }
    }

    /// A person takes one back.
    record Revoke(DecisionId id, String who) implements GrantOrder {
        @Override
        public OrderAnswer on(SessionGrants grants) {
            return grants.revoke(id, who)
                    ? new OrderAnswer(OrderAnswer.Outcome.DONE, Optional.of(id), "revoked by " + who, Optional.empty())
                    : OrderAnswer.refused(id + " does not hold (expected: one that cagewright grants list shows)");
        }

        @Override
        public JsonObject toJson() {
            return Json.object()
                    .put("order", "revoke")
                    .put("id", id.value())
                    .put("who", who)
                    .build();
        }
    }

    /// Reads one.
    ///
    /// @throws IOException if it is none, or not all of one
    static GrantOrder parse(byte[] bytes) throws IOException {
        try {
            if (Json.parse(bytes, GrantRecord.MOST) instanceof JsonObject json) {
                var members = new Members("order", json);
                return switch (members.text("order")) {
                    case "add" ->
                        new Add(
                                new GrantRequest(
                                        members.opening(),
                                        members.text("why"),
                                        Duration.ofMillis(members.number("millis"))),
                                members.texts("addresses"),
                                members.text("who"));
                    case "revoke" -> new Revoke(new DecisionId(members.text("id")), members.text("who"));
                    default -> throw new IOException("order: neither add nor revoke");
                };
            }
        } catch (JsonSyntaxException | IllegalArgumentException | ArithmeticException e) {
            throw new IOException("order: " + e.getMessage(), e);
        }
        throw new IOException("order: not an object");
    }
}
