package dev.cagewright.supervisor.token;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RefusedTokenException;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.RevocationList;
import dev.cagewright.policy.token.Token;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.TokenMint;
import dev.cagewright.policy.token.TokenVerifier;
import dev.cagewright.policy.token.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

/// Where tokens are minted, delegated and revoked, each of it on the record before anybody has it. Safe for all
/// threads.
public final class TokenOffice {
    private final TokenKey key;
    private final RevocationFile revocations;
    private final TokenVerifier verifier;
    private final Ledger ledger;
    private final String by;

    /// Where it is written down.
    @FunctionalInterface
    public interface Ledger {
        /// Durable when it returns.
        void note(String name, JsonObject detail) throws IOException;

        /// A log that is opened for each line.
        static Ledger in(Path log) {
            return (name, detail) -> {
                try (var open = AuditLog.open(log, InstantSource.system())) {
                    open.append(Event.note(
                            Origin.LOG, Json.object().put("name", name).build(), detail));
                }
            };
        }
    }

    /// @param key is used as long as this is, and not closed
    /// @param by who acts, for the record: `host`, or a session's id
    public TokenOffice(TokenKey key, RevocationFile revocations, Ledger ledger, String by) {
        this.key = key;
        this.revocations = revocations;
        this.verifier = verifier(key, revocations);
        this.ledger = ledger;
        this.by = by;
    }

    /// The one verifier of a key's tokens, which looks at the list of what is revoked.
    public static TokenVerifier verifier(TokenKey key, RevocationFile revocations) {
        return new TokenVerifier(
                key,
                new LiveRevocations(revocations),
                () -> InstantSource.system().instant().getEpochSecond());
    }

    public TokenVerifier verifier() {
        return verifier;
    }

    /// Makes a root, and the list of what is revoked if there never was one.
    ///
    /// @throws RefusedTokenException if it would be worth nothing, because its name is revoked for instance
    /// @throws IOException if it cannot be recorded; nothing was made
    public byte[] mint(Link root) throws IOException, RefusedTokenException {
        revocations.beginIfNew();
        var text = new TokenMint(key, verifier).mint(root);
        ledger.note("token.mint", detail(genuine(text)));
        return text;
    }

    /// Hands a part of a token on.
    ///
    /// @throws RefusedTokenException if `parent` is refused, which is recorded too
    /// @throws IllegalArgumentException if `child` cannot be shown to be narrower
    /// @throws IOException if it cannot be recorded; nothing was made
    public byte[] attenuate(byte[] parent, Link child) throws IOException, RefusedTokenException {
        try {
            var text = new TokenMint(key, verifier).attenuate(parent, child);
            ledger.note("token.delegate", detail(genuine(text)));
            return text;
        } catch (RefusedTokenException e) {
            noteRefused(e.refused().fault().rule().value(), e.refused().why());
            throw e;
        }
    }

    /// Puts on record that nothing was handed on.
    ///
    /// @param rule e.g. `token:wider`
    public void noteRefused(String rule, String why) throws IOException {
        ledger.note(
                "token.refused",
                Json.object().put("by", by).put("rule", rule).put("why", why).build());
    }

    /// Revokes `rev` and everything delegated from it.
    ///
    /// @return the list
    /// @throws IOException if it cannot be written; recorded only once it is
    public RevocationList revoke(RevId rev) throws IOException {
        var list = revocations.add(rev);
        ledger.note(
                "token.revoke",
                Json.object()
                        .put("by", by)
                        .put("key", key.id())
                        .put("rev", rev.value())
                        .put("counter", list.counter())
                        .build());
        return list;
    }

    private Token genuine(byte[] text) throws RefusedTokenException {
        return switch (verifier.verify(text)) {
            case Verification.Genuine(Token token) -> token;
            case Verification.Refused refused -> throw new RefusedTokenException(refused);
        };
    }

    private JsonObject detail(Token token) {
        var head = token.head();
        var lineage = token.lineage().stream().map(RevId::value).toList();
        var json = Json.object()
                .put("by", by)
                .put("key", token.keyId())
                .put("rev", head.rev().value());
        if (lineage.size() > 1) {
            json.put("parent", lineage.get(lineage.size() - 2));
        }
        head.issuer().ifPresent(issuer -> json.put("issuer", issuer));
        return json.put("lineage", lineage)
                .put("expires", Instant.ofEpochSecond(token.expires()).toString())
                .put("rights", TokenJson.rights(head.rights()))
                .build();
    }
}
