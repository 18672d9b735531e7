package dev.cagewright.mcp.remote;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.MessageReader;
import dev.cagewright.mcp.rpc.MessageReader.Read;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// One message on its way to the server, and all that comes back for it. Whatever that is, a request has one answer in
/// the end, unless nobody waits for it any more. For one message and one thread.
final class Posting implements Hearing.Listener {
    /// Longer than anybody waits.
    static final Duration LONGEST = Duration.ofDays(1);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// So often a stream that brings nothing new is taken up again.
    private static final int MOST_AGAIN = 6;

    private final Wire wire;
    private final Message message;
    private final String method;
    private final boolean isStateless;
    private volatile boolean isAnswered;
    private final AtomicLong heard = new AtomicLong();
    private Optional<String> lastEvent = Optional.empty();
    private Optional<Duration> retry = Optional.empty();

    Posting(Wire wire, Message message) {
        this.wire = wire;
        this.message = message;
        this.method = message instanceof Message.Request request ? request.method() : "";
        this.isStateless = Conversation.isStateless(message);
    }

    /// Sends it, and returns when all has come that will.
    ///
    /// @param within the longest that the first exchange takes
    void post(Duration within) throws InterruptedException {
        try {
            var hearing = sent("POST", wire.conversation().of(message), body(), within);
            int vain = 0;
            while (wantsMore(hearing) && vain < MOST_AGAIN && wire.pause(pause(vain))) {
                long before = heard.get();
                hearing = again();
                vain = heard.get() > before ? 0 : vain + 1;
            }
            settle(hearing);
        } catch (RefusedException e) {
            fail(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            fail(UnreadableException.in(e).orElseGet(() -> "gave no whole answer: " + e.getMessage()));
        }
    }

    private Optional<byte[]> body() {
        return Optional.of(message.json().bytes());
    }

    /// A stream that ends early, however, has ended: what is left of it may be taken up.
    private Hearing sent(String verb, List<Header> headers, Optional<byte[]> body, Duration within)
            throws RefusedException, IOException, InterruptedException {
        var hearing = new Hearing(this);
        try {
            var ended = wire.send(new Wire.Sent(verb, headers, body), within, hearing);
            if (ended.cut().isPresent() && !hearing.isStream()) {
                throw new IOException(ended.cut().get());
            }
        } catch (IOException e) {
            boolean isStreamsEnd =
                    hearing.isStream() && UnreadableException.in(e).isEmpty();
            if (!isAnswered && !isStreamsEnd) {
                throw e;
            }
        }
        lastEvent = hearing.events().lastId().or(() -> lastEvent);
        retry = hearing.events().retry().or(() -> retry);
        return hearing;
    }

    private boolean wantsMore(Hearing hearing) {
        return message instanceof Message.Request
                && !isAnswered
                && hearing.isStream()
                && (isListening() || (!isStateless && lastEvent.isPresent()));
    }

    private boolean isListening() {
        return method.equals("subscriptions/listen");
    }

    private Duration pause(int vain) {
        return retry.orElse(PAUSE.multipliedBy(1L << vain));
    }

    private Hearing again() throws RefusedException, IOException, InterruptedException {
        if (isListening()) {
            return sent("POST", wire.conversation().of(message), body(), LONGEST);
        }
        var headers = new ArrayList<>(wire.conversation().bare());
        headers.add(new Header("Accept", "text/event-stream"));
        headers.add(new Header("Last-Event-ID", lastEvent.orElseThrow()));
        return sent("GET", headers, Optional.empty(), LONGEST);
    }

    private void settle(Hearing hearing) throws IOException {
        if (isAnswered) {
            return;
        }
        var problem = hearing.problem();
        if (problem.isPresent()) {
            if (problem.get().isDenial()) {
                wire.refused();
            }
            fail(Reproach.of(problem.get()));
            return;
        }
        wire.heard();
        if (hearing.status() == 404 && !isStateless && wire.conversation().hasSession()) {
            wire.gone("has ended its session (HTTP 404), and is opened anew");
            return;
        }
        if (hearing.isJson() && hearing.body().length > 0) {
            var read = MessageReader.read(hearing.body(), Hearing.MOST);
            if (hearing.isGood() || isFailure(read)) {
                take(read);
            }
        }
        if (!isAnswered && (message instanceof Message.Request || !hearing.isGood())) {
            fail(Reproach.of(hearing, method));
        }
    }

    private static boolean isFailure(Read read) {
        return read instanceof Read.Single(Message.Failure _);
    }

    @Override
    public void begun(HostAnswer.Head head) throws IOException {
        if (head.status() / 100 == 2) {
            wire.heard();
            if (method.equals("initialize")) {
                wire.conversation().begin(head);
            }
        }
    }

    @Override
    public void event(byte[] data) throws IOException {
        heard.incrementAndGet();
        take(MessageReader.read(data, Hearing.MOST));
        if (isAnswered) {
            throw new IOException("all has come that was to");
        }
    }

    private void take(Read read) throws IOException {
        switch (read) {
            case Read.Single(Message said) -> take(said);
            case Read.Batch(List<Read> items) -> {
                for (Read item : items) {
                    take(item);
                }
            }
            case Read.Malformed(Message.Failure answer, var _) ->
                throw new UnreadableException(
                        "answered with what is no message: " + answer.error().message());
        }
    }

    private void take(Message said) throws IOException {
        switch (said) {
            case Message.Request _, Message.Notification _ -> wire.write(said);
            case Message.Result(RpcId id, JsonObject value) -> {
                requireMine(id);
                answer(new Message.Result(id, understood(value)));
            }
            case Message.Failure(Optional<RpcId> id, RpcError error) -> {
                if (id.isPresent()) {
                    requireMine(id.get());
                }
                answer(new Message.Failure(id.or(this::mine), error));
            }
        }
    }

    private Optional<RpcId> mine() {
        return message instanceof Message.Request request ? Optional.of(request.id()) : Optional.empty();
    }

    /// An id that is written as a text is told by whoever reads it.
    private void requireMine(RpcId id) throws UnreadableException {
        var mine = mine();
        if (mine.isEmpty()
                || !mine.get()
                        .json()
                        .write()
                        .replace("\"", "")
                        .equals(id.json().write().replace("\"", ""))) {
            throw new UnreadableException("answered with an id that is not the request's");
        }
    }

    private JsonObject understood(JsonObject value) {
        if (method.equals("initialize")) {
            wire.conversation().agree(value);
        }
        if (isStateless && method.equals("tools/list")) {
            var sifted = wire.conversation().parameters().sift(value);
            sifted.left()
                    .forEach(tool -> wire.say("the tool " + tool
                            + " is left out: its x-mcp-header has to be a name of its own on a text, number or"
                            + " boolean"));
            return sifted.result();
        }
        return value;
    }

    private void answer(Message answer) throws IOException {
        if (!isAnswered) {
            isAnswered = true;
            wire.write(answer);
        }
    }

    private void fail(String why) {
        var mine = mine();
        if (mine.isEmpty()) {
            wire.say(wire.name() + " " + why);
            return;
        }
        try {
            answer(new Message.Failure(
                    mine, new RpcError(RpcError.INTERNAL_ERROR, "the MCP server " + wire.name() + " " + why)));
        } catch (IOException _) {
            return; // nobody reads any more
        }
    }
}
