package dev.cagewright.mcp.remote;

import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.MessageReader;
import dev.cagewright.mcp.rpc.MessageReader.Read;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// What a server with a session says unasked, by a stream of its own that is opened again when it ends. A server need
/// not have one. For one thread.
final class UnaskedStream implements Hearing.Listener {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(64);

    /// So much that is no message is too much.
    private static final int MOST_JUNK = 1_000;

    private final Wire wire;
    private Optional<String> lastEvent = Optional.empty();
    private Optional<Duration> retry = Optional.empty();
    private final AtomicInteger junk = new AtomicInteger();

    UnaskedStream(Wire wire) {
        this.wire = wire;
    }

    /// Hears it until there is none, or all is over.
    void hear() throws InterruptedException {
        if (!wire.allows("GET")) {
            return; // the policy has it ask, and not listen
        }
        var pause = PAUSE;
        do {
            long begun = System.nanoTime();
            var hearing = new Hearing(this);
            try {
                wire.send(new Wire.Sent("GET", headers(), Optional.empty()), Posting.LONGEST, hearing);
            } catch (RefusedException _) {
                return;
            } catch (IOException e) {
                if (UnreadableException.in(e).isPresent()) {
                    wire.gone(UnreadableException.in(e).get() + " on the stream of what it says unasked");
                    return;
                }
            }
            boolean isNone = hearing.status() > 0 && hearing.status() < 500 && !hearing.isStream();
            if (isNone || hearing.problem().isPresent()) {
                return;
            }
            lastEvent = hearing.events().lastId().or(() -> lastEvent);
            retry = hearing.events().retry().or(() -> retry);
            boolean hasLasted = System.nanoTime() - begun > LONGEST_PAUSE.toNanos();
            pause = hasLasted ? PAUSE : pause.multipliedBy(2);
            pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        } while (wire.pause(retry.filter(wished -> wished.compareTo(PAUSE) > 0).orElse(pause)));
    }

    private List<Header> headers() {
        var headers = new ArrayList<>(wire.conversation().bare());
        headers.add(new Header("Accept", "text/event-stream"));
        lastEvent.ifPresent(id -> headers.add(new Header("Last-Event-ID", id)));
        return headers;
    }

    @Override
    public void begun(HostAnswer.Head head) {}

    @Override
    public void event(byte[] data) throws IOException {
        switch (MessageReader.read(data, Hearing.MOST)) {
            case Read.Single(Message said) -> wire.write(said);
            case Read.Batch _, Read.Malformed _ -> {
                int count = junk.incrementAndGet();
                if (count == 1) {
                    wire.say(wire.name() + " sends events that are no messages, and they are dropped");
                }
                if (count > MOST_JUNK) {
                    throw new UnreadableException("sent " + count + " events that are no messages");
                }
            }
        }
    }
}
