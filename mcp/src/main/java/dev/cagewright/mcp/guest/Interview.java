package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.Pending.Outcome;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.MessageReader;
import dev.cagewright.mcp.rpc.MessageReader.Read;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.mcp.rpc.RpcId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// The requests to one run of a server and what it makes of them. Whatever it writes, each request has an outcome: its
/// answer, or an error that says what was wrong. Safe for all threads.
final class Interview {
    /// The longest line of a server, bytes.
    static final int MAX_FRAME = 16 << 20;

    /// How much may wait for a server that does not read, bytes.
    static final long MOST_SENT = 64L << 20;

    /// What a server may tell progress of.
    private static final Set<String> PROGRESSING = Set.of("tools/call", "prompts/get", "resources/read");

    private static final int MOST_PENDING = 4_096;
    private static final int LONGEST_MESSAGE = 4_096;

    /// The longest `data` of an error that goes on, bytes.
    private static final int LONGEST_DATA = 64 << 10;

    /// How much of a line that is no JSON is looked at, bytes.
    private static final int LOOKED_AT = 64 << 10;

    private final String name;
    private final Conduit input;
    private final Heard heard;
    private final Oddities oddities;
    private final AtomicLong ids = new AtomicLong();
    private final ConcurrentSkipListMap<Long, Pending> pending = new ConcurrentSkipListMap<>();
    private volatile Optional<String> over = Optional.empty();
    private volatile boolean hasBatches;

    /// Whoever hears what is no answer.
    interface Heard {
        /// The server tells something.
        void told(String method, JsonObject params);

        /// The server asks; answered by [#answer].
        void asked(Message.Request request);
    }

    /// @param input takes what the server reads
    /// @param oddities hears of what is none of the protocol
    Interview(String name, Conduit input, Heard heard, Oddities oddities) {
        this.name = name;
        this.input = input;
        this.heard = heard;
        this.oddities = oddities;
    }

    /// Batches count as messages from now on.
    void allowBatches() {
        hasBatches = true;
    }

    /// Asks, and waits for the answer.
    ///
    /// @param params without what only the protocol needs
    /// @param caller hears of progress and may take the request back
    /// @throws RpcException if the answer is an error, or there is none
    JsonObject ask(String method, JsonObject params, Caller caller, Patience patience)
            throws RpcException, InterruptedException {
        if (pending.size() >= MOST_PENDING) {
            throw failed("has " + MOST_PENDING + " requests under way: wait until some are answered");
        }
        long id = ids.incrementAndGet();
        var waiting = new Pending(caller);
        pending.put(id, waiting);
        try {
            var over = this.over;
            if (over.isPresent()) {
                throw failed(over.get());
            }
            var told =
                    PROGRESSING.contains(method) ? Meta.with(params, Meta.PROGRESS_TOKEN, JsonNumber.of(id)) : params;
            send(new Message.Request(new RpcId.Whole(id), method, told));
            caller.whenCancelled(() -> takeBack(id, "the client took it back"));
            var answer = waiting.await(patience);
            if (answer.isPresent()) {
                return answer.get();
            }
            takeBack(id, "it took too long");
            throw failed("gave no answer to " + method + " within "
                    + patience.quiet().toSeconds()
                    + " s of its last word, so the request was taken back");
        } finally {
            pending.remove(id);
        }
    }

    private RpcException failed(String why) {
        return new RpcException(RpcError.INTERNAL_ERROR, "the MCP server " + name + " " + why);
    }

    /// Tells the server that nobody waits any more; what it answers after that goes nowhere.
    private void takeBack(long id, String why) {
        var taken = pending.remove(id);
        if (taken != null) {
            taken.fail(RpcError.INTERNAL_ERROR, "cancelled");
            tell(
                    "notifications/cancelled",
                    Json.object().put("requestId", id).put("reason", why).build());
        }
    }

    /// Tells the server something.
    void tell(String method, JsonObject params) {
        try {
            send(new Message.Notification(method, params));
        } catch (RpcException _) {
            return; // whoever asks next is told
        }
    }

    /// Answers the server.
    void answer(Message answer) {
        try {
            send(answer);
        } catch (RpcException _) {
            return; // like #tell
        }
    }

    private void send(Message message) throws RpcException {
        var text = message.json().bytes();
        var line = new byte[text.length + 1];
        System.arraycopy(text, 0, line, 0, text.length);
        line[text.length] = '\n';
        if (!input.offer(line)) {
            throw failed(over.orElse("does not read what it is sent: wait until it does"));
        }
    }

    /// The caller who has waited for the shortest time, if anybody waits: a server that asks does not say for whom.
    Optional<Caller> latest() {
        return latestPending().map(Pending::caller);
    }

    private Optional<Pending> latestPending() {
        return pending.descendingMap().values().stream()
                .filter(waiting -> !(waiting.caller() instanceof Nobody))
                .findFirst();
    }

    /// The request of that number, if it is one that listens.
    Optional<Attention> attention(long id) {
        var waiting = pending.get(id);
        return waiting != null && waiting.caller() instanceof Attention attention
                ? Optional.of(attention)
                : Optional.empty();
    }

    /// Has the one who waits for `token` hear `word`, or nobody.
    void progress(long token, Consumer<Caller> word) {
        var waiting = pending.get(token);
        if (waiting != null) {
            waiting.heard(word);
        }
    }

    /// Has the latest caller hear `word`.
    ///
    /// @return no, if nobody waits
    boolean word(Consumer<Caller> word) {
        var last = latestPending();
        last.ifPresent(waiting -> waiting.heard(word));
        return last.isPresent();
    }

    /// Nothing comes any more; all who wait are told why.
    ///
    /// @param why a clause that goes on behind the server's name
    void end(String why) {
        over = Optional.of(why);
        input.end();
        pending.values()
                .forEach(
                        waiting -> waiting.settle(new Outcome.Failed(failed(why).error())));
    }

    /// Takes one line of the server's.
    void take(byte[] line) {
        take(MessageReader.read(line, MAX_FRAME), line);
    }

    private void take(Read read, byte[] line) {
        switch (read) {
            case Read.Single(Message message) -> take(message);
            case Read.Batch(var items) when hasBatches -> items.forEach(item -> take(item, line));
            case Read.Batch(var items) -> {
                oddities.junk(line);
                items.forEach(this::refuse);
            }
            case Read.Malformed(Message.Failure answer, Read.Kind kind) -> {
                boolean isSettled = settleMalformed(answer, isMeant(answer, line) ? Read.Kind.ANSWER : kind);
                if (!isSettled) {
                    oddities.junk(line);
                }
            }
        }
    }

    /// Text that a program wrote as a message, though it is no JSON: whom it answers cannot be told.
    private static boolean isMeant(Message.Failure answer, byte[] line) {
        return answer.error().code() == RpcError.PARSE_ERROR
                && line[0] == '{'
                && new String(line, 0, Math.min(line.length, LOOKED_AT), StandardCharsets.ISO_8859_1)
                        .contains("\"jsonrpc\"");
    }

    /// Answers that may not come as they did.
    private void refuse(Read item) {
        if (item instanceof Read.Single(Message.Result(RpcId id, JsonObject _))) {
            waitingFor(id)
                    .ifPresent(waiting -> waiting.settle(broke("answered in a batch, which its version has not")));
        }
    }

    private void take(Message message) {
        switch (message) {
            case Message.Request request -> heard.asked(request);
            case Message.Notification(String method, JsonObject params) -> heard.told(method, params);
            case Message.Result(RpcId id, JsonObject value) -> settle(id, new Outcome.Answered(value));
            case Message.Failure(Optional<RpcId> id, RpcError error) -> {
                var told = told(error);
                id.ifPresentOrElse(
                        named -> settle(named, new Outcome.Failed(told)),
                        () -> settleAll(broke("answered with an error (" + told.code() + ": " + told.message()
                                + ") and did not say to what")));
            }
        }
    }

    private void settle(RpcId id, Outcome outcome) {
        var waiting = waitingFor(id);
        if (waiting.isEmpty()) {
            oddities.stray();
        } else if (id instanceof RpcId.Text) {
            waiting.get().settle(broke("answered with its id as a text instead of a number"));
        } else {
            waiting.get().settle(outcome);
        }
    }

    /// Nobody can tell what it was an answer to, and nobody shall wait for ever.
    private void settleAll(Outcome outcome) {
        if (pending.isEmpty()) {
            oddities.stray();
        }
        pending.values().forEach(waiting -> waiting.settle(outcome));
    }

    private boolean settleMalformed(Message.Failure answer, Read.Kind kind) {
        var what = broke("answered with what is no answer: " + answer.error().message());
        var waiting = answer.id().flatMap(this::waitingFor);
        if (waiting.isPresent()) {
            waiting.get().settle(what);
            return true;
        }
        if (kind == Read.Kind.ANSWER && answer.id().isEmpty() && !pending.isEmpty()) {
            settleAll(what);
            return true;
        }
        return false;
    }

    private Outcome broke(String why) {
        return new Outcome.Failed(failed(why).error());
    }

    /// A text that spells a number is that number's twin: some servers answer so.
    private Optional<Pending> waitingFor(RpcId id) {
        return switch (id) {
            case RpcId.Whole(long number) -> Optional.ofNullable(pending.get(number));
            case RpcId.Text(String text) -> number(text).flatMap(number -> Optional.ofNullable(pending.get(number)));
        };
    }

    private static Optional<Long> number(String text) {
        return text.matches("[0-9]{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }

    /// What a server says of an error, bounded.
    private static RpcError told(RpcError error) {
        var message = error.message();
        return new RpcError(
                error.code(),
                message.length() <= LONGEST_MESSAGE
                        ? message
                        : message.substring(0, message.offsetByCodePoints(0, LONGEST_MESSAGE / 2)) + " ...",
                error.data().filter(data -> data.bytes().length <= LONGEST_DATA));
    }
}
