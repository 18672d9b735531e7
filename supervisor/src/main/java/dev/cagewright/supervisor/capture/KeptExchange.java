package dev.cagewright.supervisor.capture;

import dev.cagewright.egress.capture.Field;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.capture.Way;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One exchange as far as it was kept; what is missing did not happen, or the record ends before it. For one thread.
public final class KeptExchange {
    /// The most that all messages of one exchange may have, bytes; a WebSocket may go on for days.
    static final long MOST_MESSAGES = 64 << 20;

    private final Piece.Asked asked;
    private final Map<Way, ByteArrayOutputStream> bodies = new EnumMap<>(Way.class);
    private final Map<Way, List<Field>> trailers = new EnumMap<>(Way.class);
    private final List<Piece.Message> messages = new ArrayList<>();
    private long messageBytes;
    private long unheldMessages;
    private Piece.@Nullable Allowed allowed;
    private Piece.@Nullable Sent sent;
    private Piece.@Nullable Answered answered;
    private Piece.@Nullable Refused refused;
    private Piece.@Nullable Ended ended;

    KeptExchange(Piece.Asked asked) {
        this.asked = asked;
    }

    void add(Piece piece) {
        switch (piece) {
            case Piece.Asked _ -> {}
            case Piece.Allowed known -> allowed = known;
            case Piece.Sent known -> sent = known;
            case Piece.Body body -> {
                var copy = new byte[body.bytes().remaining()];
                body.bytes().duplicate().get(copy);
                bodies.computeIfAbsent(body.way(), _ -> new ByteArrayOutputStream())
                        .writeBytes(copy);
            }
            case Piece.Trailers known -> trailers.put(known.way(), known.fields());
            case Piece.Answered known -> answered = known;
            case Piece.Refused known -> refused = known;
            case Piece.Message message -> add(message);
            case Piece.Ended known -> ended = known;
        }
    }

    private void add(Piece.Message message) {
        if (messageBytes + message.size() > MOST_MESSAGES) {
            unheldMessages++;
        } else {
            messageBytes += message.size();
            messages.add(message);
        }
    }

    public Piece.Asked asked() {
        return asked;
    }

    /// The decision's id, whether it was allowed or denied.
    public Optional<String> decision() {
        return Optional.ofNullable(allowed)
                .map(Piece.Allowed::decision)
                .or(() -> refused().flatMap(own -> own.refusal().decision()));
    }

    public boolean isAllowed() {
        return allowed != null;
    }

    public Optional<Piece.Sent> sent() {
        return Optional.ofNullable(sent);
    }

    /// What was kept of a body.
    public byte[] body(Way way) {
        var body = bodies.get(way);
        return body == null ? new byte[0] : body.toByteArray();
    }

    public List<Field> trailers(Way way) {
        return trailers.getOrDefault(way, List.of());
    }

    public Optional<Piece.Answered> answered() {
        return Optional.ofNullable(answered);
    }

    /// What the gateway answered by itself.
    public Optional<Piece.Refused> refused() {
        return Optional.ofNullable(refused);
    }

    public List<Piece.Message> messages() {
        return List.copyOf(messages);
    }

    /// How many messages were kept and are too many to be held here.
    public long unheldMessages() {
        return unheldMessages;
    }

    public Optional<Piece.Ended> ended() {
        return Optional.ofNullable(ended);
    }
}
