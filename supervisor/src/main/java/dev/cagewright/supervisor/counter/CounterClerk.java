package dev.cagewright.supervisor.counter;

import dev.cagewright.audit.json.Json;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RefusedTokenException;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.Token;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.supervisor.hatch.Clerk;
import dev.cagewright.supervisor.hatch.HatchAnswer;
import dev.cagewright.supervisor.hatch.HatchRequest;
import dev.cagewright.supervisor.token.TokenJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;

/// Answers one cage: `GET /v1/token` says what its token carries, `POST /v1/attenuate` makes a narrower one. Only of
/// the
/// session's token, or of what came of it. Safe for all threads.
final class CounterClerk implements Clerk {
    private final HeldToken held;
    private final Pace pace;
    private final InstantSource clock;

    CounterClerk(HeldToken held, Pace pace, InstantSource clock) {
        this.held = held;
        this.pace = pace;
        this.clock = clock;
    }

    @Override
    public HatchAnswer answer(HatchRequest request) {
        return switch (request.target()) {
            case "/v1/token" -> request.method().equals("GET") ? described() : onlyBy("GET");
            case "/v1/attenuate" -> request.method().equals("POST") ? attenuated(request) : onlyBy("POST");
            default -> HatchAnswer.problem(404, "request:unknown", "(expected: GET /v1/token or POST /v1/attenuate)");
        };
    }

    private static HatchAnswer onlyBy(String method) {
        return HatchAnswer.problem(405, "request:method", "(expected: " + method + ")");
    }

    private HatchAnswer described() {
        return HatchAnswer.json(200, TokenJson.of(held.token()));
    }

    private HatchAnswer attenuated(HatchRequest request) {
        var tooOften = pace.attempt();
        if (tooOften.isPresent()) {
            return HatchAnswer.problem(429, "token:pace", tooOften.get());
        }
        try {
            return made(ChildWish.parse(request.body().toByteArray()));
        } catch (IllegalArgumentException e) {
            return HatchAnswer.problem(400, "request:malformed", String.valueOf(e.getMessage()));
        } catch (RefusedTokenException e) {
            return HatchAnswer.problem(
                    403, e.refused().fault().rule().value(), e.refused().why());
        } catch (IOException e) {
            return HatchAnswer.problem(503, "audit:unavailable", "nothing was made: it could not be recorded");
        }
    }

    private HatchAnswer made(ChildWish wish) throws IOException, RefusedTokenException {
        var text = wish.parent().orElseGet(held::text);
        var parent = genuine(text);
        if (!isOfThisSession(parent)) {
            return refused("token:foreign", "it does not come from the token that this session is under");
        }
        var number = pace.child();
        if (number.isEmpty()) {
            return HatchAnswer.problem(
                    429, "token:pace", "this run has made " + Pace.MOST_CHILDREN + " tokens (expected: no more)");
        }
        var child = wish.link(
                parent, held.session() + "-" + number.get(), clock.instant().getEpochSecond());
        try {
            return given(child, parent, held.office().attenuate(text, child));
        } catch (IllegalArgumentException e) {
            return refused("token:wider", String.valueOf(e.getMessage()));
        }
    }

    /// What is refused stays refused, and is on record: [TokenOffice#attenuate] would do the same.
    private Token genuine(byte[] text) throws IOException, RefusedTokenException {
        return switch (held.office().verifier().verify(text)) {
            case Verification.Genuine(Token token) -> token;
            case Verification.Refused fault -> {
                held.office().noteRefused(fault.fault().rule().value(), fault.why());
                throw new RefusedTokenException(fault);
            }
        };
    }

    private boolean isOfThisSession(Token parent) {
        var own = held.token().links();
        return parent.links().size() >= own.size()
                && parent.links().subList(0, own.size()).equals(own);
    }

    private HatchAnswer refused(String rule, String why) throws IOException {
        held.office().noteRefused(rule, why);
        return HatchAnswer.problem(403, rule, why);
    }

    private static HatchAnswer given(Link child, Token parent, byte[] text) {
        var lineage = Json.array();
        parent.lineage().stream().map(RevId::value).forEach(lineage::add);
        lineage.add(child.rev().value());
        return HatchAnswer.json(
                201,
                Json.object()
                        .put("rev", child.rev().value())
                        .put("lineage", lineage.build())
                        .put(
                                "expires",
                                Instant.ofEpochSecond(Math.min(child.expires(), parent.expires()))
                                        .toString())
                        .put("token", new String(text, StandardCharsets.US_ASCII).strip())
                        .build());
    }
}
