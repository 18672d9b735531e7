package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.time.Duration;
import java.util.Optional;

/// Finds out which era a server is of, and opens it. A server of today answers `server/discover`; whatever else comes
/// back, or nothing within a moment, and it is opened by `initialize`, as all before were.
final class Opening {
    /// What a server has to say whether it knows the question.
    private static final Duration PROBED = Duration.ofSeconds(5);

    private static final String DISCOVER = "server/discover";

    private final Interview interview;
    private final JsonObject self;
    private final JsonObject abilities;
    private final Patience patience;

    /// What is known of a server's era.
    enum Era {
        UNKNOWN,
        /// It died of the question.
        OPENED
    }

    /// @param self `clientInfo`
    /// @param abilities `capabilities` of a client
    Opening(Interview interview, JsonObject self, JsonObject abilities, Patience patience) {
        this.interview = interview;
        this.self = self;
        this.abilities = abilities;
        this.patience = patience;
    }

    /// @throws RpcException if it cannot be opened, with why
    Agreed open(Era era) throws RpcException, InterruptedException {
        var silence = new Patience(PROBED, PROBED, PROBED);
        var modern = era == Era.OPENED ? Optional.<Agreed>empty() : probed(silence);
        if (modern.isPresent()) {
            return modern.get();
        }
        try {
            return initialize();
        } catch (RpcException e) {
            var late = isUnknown(e.error()) ? discover(patience.ofOpening()) : Optional.<Agreed>empty();
            if (late.isPresent()) {
                return late.get();
            }
            throw e;
        }
    }

    /// It knows no `initialize`, or no version of that kind.
    private static boolean isUnknown(RpcError error) {
        return error.code() == RpcError.METHOD_NOT_FOUND || isOfToday(error);
    }

    /// Only versions without a session have such errors.
    private static boolean isOfToday(RpcError error) {
        return error.code() <= -32_020 && error.code() >= -32_099;
    }

    /// A server of today that refuses is asked once more, since it would not know `initialize`.
    private Optional<Agreed> probed(Patience within) throws InterruptedException {
        try {
            return asked(within);
        } catch (RpcException e) {
            return isOfToday(e.error()) ? discover(within) : Optional.empty();
        }
    }

    private Optional<Agreed> discover(Patience within) throws InterruptedException {
        try {
            return asked(within);
        } catch (RpcException _) {
            return Optional.empty();
        }
    }

    private Optional<Agreed> asked(Patience within) throws RpcException, InterruptedException {
        var found = interview.ask(DISCOVER, modern(JsonObject.EMPTY, self, abilities), Silent.CALLER, within);
        return isModern(found) ? Optional.of(agreed(ProtocolVersion.V2026_07_28, found)) : Optional.empty();
    }

    private static boolean isModern(JsonObject found) {
        var wanted = new JsonString(ProtocolVersion.V2026_07_28.text());
        return found.member("supportedVersions").orElse(wanted) instanceof JsonArray versions
                && versions.items().contains(wanted);
    }

    private Agreed initialize() throws RpcException, InterruptedException {
        var found = interview.ask(
                "initialize",
                Json.object()
                        .put("protocolVersion", ProtocolVersion.NEWEST_OPENED.text())
                        .put("capabilities", abilities)
                        .put("clientInfo", self)
                        .build(),
                Silent.CALLER,
                patience.ofOpening());
        var text = found.text("protocolVersion").orElse("");
        var version = ProtocolVersion.of(text).filter(known -> !known.isStateless());
        if (version.isEmpty()) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "it speaks version \"%.40s\" of the protocol, which is not known here".formatted(text));
        }
        if (version.get().hasBatches()) {
            interview.allowBatches();
        }
        interview.tell("notifications/initialized", JsonObject.EMPTY);
        return agreed(version.get(), found);
    }

    private static Agreed agreed(ProtocolVersion version, JsonObject found) {
        return new Agreed(
                version,
                found.member("serverInfo")
                                        .orElse(Meta.of(found)
                                                .member(Meta.SERVER_INFO)
                                                .orElse(JsonObject.EMPTY))
                                instanceof JsonObject info
                        ? info
                        : JsonObject.EMPTY,
                found.member("capabilities").orElse(JsonObject.EMPTY) instanceof JsonObject capabilities
                        ? capabilities
                        : JsonObject.EMPTY,
                found.text("instructions"));
    }

    /// `params` as a version without a session wants them.
    static JsonObject modern(JsonObject params, JsonObject self, JsonObject abilities) {
        var version = Meta.with(params, Meta.VERSION, new JsonString(ProtocolVersion.V2026_07_28.text()));
        return Meta.with(Meta.with(version, Meta.CLIENT_CAPABILITIES, abilities), Meta.CLIENT_INFO, self);
    }
}
