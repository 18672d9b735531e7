package dev.cagewright.egress.credential;

import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.inspect.Sighting;
import dev.cagewright.egress.refusal.Refusal;
import java.util.List;

/// A decoy where its secret may not go, or where it cannot be put.
///
/// @param secret the name of the secret
/// @param kind one word for records
/// @param why one sentence without the decoy
/// @param at what it was seen in
public record Misuse(String secret, String kind, String why, Finding.Place at, List<String> fix) {
    public Misuse {
        fix = List.copyOf(fix);
    }

    static Misuse of(String secret, Request request, Place place, Request.Standing standing) {
        var host = request.authority().host().value();
        var where = place.word() + " of a request to " + request.authority();
        var at = place instanceof Place.Body ? Finding.Place.BODY : Finding.Place.HEAD;
        return switch (standing) {
            case ELSEWHERE, BOUND ->
                new Misuse(
                        secret,
                        "decoys.elsewhere",
                        "the decoy of the secret " + secret + " is in the " + where + ", and no entry of credentials"
                                + " lets it go there",
                        at,
                        fix(secret, host, place));
            case OTHER_PORT ->
                new Misuse(
                        secret,
                        "decoys.port",
                        "the decoy of the secret " + secret + " is in the " + where
                                + ", and the secret goes to other ports of that host only",
                        at,
                        List.of());
            case IN_CLEAR ->
                new Misuse(
                        secret,
                        "decoys.clear",
                        "the decoy of the secret " + secret + " is in the " + where
                                + " in the clear, and the secret goes by https only",
                        at,
                        List.of());
            case OTHER_PLACE ->
                new Misuse(
                        secret,
                        "decoys.place",
                        "the decoy of the secret " + secret + " is in the " + where
                                + ", and the secret may stand in other parts of it only",
                        at,
                        fix(secret, host, place));
        };
    }

    private static List<String> fix(String secret, String host, Place place) {
        return List.of(
                "credentials:\n  - {name: " + secret + ", use_with: [" + host + "], in: [" + place.word() + "]}");
    }

    /// It may go there, but not in that form.
    static Misuse unwritable(String secret, Place place, String form) {
        return new Misuse(
                secret,
                "decoys.form",
                "the secret " + secret + " cannot be put into the " + place.word() + ": its decoy is there " + form,
                place instanceof Place.Body ? Finding.Place.BODY : Finding.Place.HEAD,
                List.of());
    }

    /// It may be in a body that nobody here can read.
    static Misuse unreadable(String secret) {
        return new Misuse(
                secret,
                "decoys.coding",
                "the body is in a coding that cannot be read here, so the secret " + secret
                        + ", which may stand in it, could not be put in",
                Finding.Place.BODY,
                List.of());
    }

    static Misuse elsewhere(String secret, String kind, String why) {
        return new Misuse(secret, kind, why, Finding.Place.HEAD, List.of());
    }

    /// It is in the name of a host.
    public static Misuse inName(String secret) {
        return new Misuse(
                secret,
                "decoys.name",
                "the decoy of the secret " + secret + " is in the name of a host",
                Finding.Place.NAME,
                List.of());
    }

    public Finding finding() {
        return new Finding(Sighting.Severity.BLOCK, "decoys", kind, at, 0);
    }

    /// What the client is told.
    ///
    /// @param decision of the request
    public Refusal refusal(String decision) {
        return Refusal.misused(why, decision, fix);
    }
}
