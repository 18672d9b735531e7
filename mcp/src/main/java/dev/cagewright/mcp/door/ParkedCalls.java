package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.Message;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Calls of the stateless version that wait until their client comes again with what it was asked for. What the client
/// carries meanwhile (`requestState`) is a name of random bits under a key of this process, bound to what was asked
/// for,
/// good for one return. Safe for all threads.
final class ParkedCalls {
    private static final String NAMED = "inputResponses";
    private static final String STATE = "requestState";
    private static final int MOST = 256;
    private static final int NAME_BYTES = 16;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final SecureRandom random = new SecureRandom();
    private final byte[] key = new byte[32];
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    ParkedCalls() {
        random.nextBytes(key);
    }

    /// A call, and who waits in it for what its client brings.
    record Waiting(Call call, CarriedQuestions questions) {}

    /// Keeps a call until its client returns.
    ///
    /// @return what the client has to carry
    String park(Waiting call, Message.Request request) {
        var name = new byte[NAME_BYTES];
        random.nextBytes(name);
        var text = TEXT.encodeToString(name);
        var state = text + "." + TEXT.encodeToString(seal(text, request));
        waiting.put(state, call);
        return state;
    }

    /// The call that `request` goes on with, which waits no longer; empty if nothing waits for just that request.
    Optional<Waiting> claim(Message.Request request, String state) {
        int dot = state.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        var name = state.substring(0, dot);
        var expected = name + "." + TEXT.encodeToString(seal(name, request));
        boolean isOurs = MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.UTF_8), state.getBytes(StandardCharsets.UTF_8));
        return isOurs ? Optional.ofNullable(waiting.remove(state)) : Optional.empty();
    }

    boolean isFull() {
        return waiting.size() >= MOST;
    }

    void forget(String state) {
        waiting.remove(state);
    }

    /// Nobody comes again.
    void close() {
        for (Waiting one : new ArrayList<>(waiting.values())) {
            one.call().cancel();
        }
    }

    /// Binds `name` to what is asked for, without what the second asking adds to it.
    private byte[] seal(String name, Message.Request request) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            mac.update(request.method().getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(asked(request.params()).bytes());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is missing", e);
        }
    }

    private static JsonObject asked(JsonObject params) {
        var members = new TreeMap<>(params.members());
        members.remove(NAMED);
        members.remove(STATE);
        members.remove(Meta.META);
        return new JsonObject(new LinkedHashMap<>(members));
    }

    /// `params` as the first asking had them.
    static JsonObject first(JsonObject params) {
        var members = new LinkedHashMap<>(params.members());
        members.remove(NAMED);
        members.remove(STATE);
        return new JsonObject(members);
    }

    static Optional<String> state(JsonObject params) {
        return params.text(STATE);
    }

    static JsonObject answers(JsonObject params) {
        return params.members().get(NAMED) instanceof JsonObject answers ? answers : JsonObject.EMPTY;
    }
}
