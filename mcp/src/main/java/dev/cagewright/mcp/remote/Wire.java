package dev.cagewright.mcp.remote;

import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.sandbox.Streams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// What the parts of one bridge share: the way out, what was agreed on, and the two streams back. Safe for all threads.
final class Wire {
    private final String name;
    private final GatewayRoute route;
    private final RemoteAddress address;
    private final Conversation conversation;
    private final Streams.Pipes pipes;
    private final Consumer<String> gone;
    private final Object writing = new Object();
    private final Object saying = new Object();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean isHeard;
    private volatile boolean isRefused;

    /// Where it leads, and what was agreed on there.
    record Ends(GatewayRoute route, RemoteAddress address, Conversation conversation) {}

    /// @param name of the server
    /// @param gone hears why nothing more comes of it
    Wire(String name, Ends ends, Streams.Pipes pipes, Consumer<String> gone) {
        this.name = name;
        this.route = ends.route();
        this.address = ends.address();
        this.conversation = ends.conversation();
        this.pipes = pipes;
        this.gone = gone;
    }

    String name() {
        return name;
    }

    Conversation conversation() {
        return conversation;
    }

    /// One request of HTTP.
    record Sent(String method, List<Header> headers, Optional<byte[]> body) {}

    /// Makes one request, and waits until its answer is over.
    ///
    /// @param within the longest that this takes
    HostAnswer send(Sent sent, Duration within, HostClient.Taker taker)
            throws RefusedException, IOException, InterruptedException {
        try {
            var order = address.order(sent.method());
            var limits = new HostClient.Limits(Long.MAX_VALUE, within);
            return route.exchange(order, order.request(sent.headers(), sent.body()), limits, taker);
        } catch (RefusedException e) {
            isRefused = true;
            throw e;
        }
    }

    boolean allows(String method) {
        return route.allows(address.order(method));
    }

    /// The server, and not only the gateway, has said something.
    void heard() {
        isHeard = true;
    }

    /// Was it asked, and not let be asked?
    boolean isRefusedOnly() {
        return isRefused && !isHeard;
    }

    void refused() {
        isRefused = true;
    }

    /// Hands a message on, written anew.
    ///
    /// @throws IOException if nobody reads
    void write(Message message) throws IOException {
        var line = (message.json().write() + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (writing) {
            pipes.out().write(line);
            pipes.out().flush();
        }
    }

    /// Tells a person something, one line.
    void say(String what) {
        try {
            synchronized (saying) {
                pipes.err().write(("cagewright: " + what + "\n").getBytes(StandardCharsets.UTF_8));
                pipes.err().flush();
            }
        } catch (IOException _) {
            return; // nobody listens
        }
    }

    /// Nothing more comes of it.
    ///
    /// @param why a clause that goes on behind its name
    void gone(String why) {
        gone.accept(why);
    }

    /// Waits for a moment.
    ///
    /// @return no, if it is over
    boolean pause(Duration time) throws InterruptedException {
        return !over.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Nobody waits for anything any more.
    void end() {
        over.countDown();
    }
}
