package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.protocol.Dialect;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.mcp.rpc.RpcId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// The requests of one client that are not answered yet, by their ids. Safe for all threads.
final class UnderWay {
    private final Reception reception;
    private final Map<RpcId, Pending> pending = new ConcurrentHashMap<>();
    private int working;

    UnderWay(Reception reception) {
        this.reception = reception;
    }

    Offer offer() {
        return reception.offer();
    }

    /// Notes that `request` is under way.
    ///
    /// @throws RpcException if another of its id is
    void enter(Message.Request request, Pending by) throws RpcException {
        if (pending.putIfAbsent(request.id(), by) != null) {
            throw Refusals.request("a request of the id %s is under way: take another id"
                    .formatted(request.id().json().write()));
        }
    }

    void leave(RpcId id, Pending by) {
        pending.remove(id, by);
    }

    /// Has the offer work on `request` in a thread of its own.
    ///
    /// @throws RpcException if another of its id is under way
    void start(Message.Request request, Client client, Outbox back, Asking asking) throws RpcException {
        start(request, client, back, asking, () -> {});
    }

    /// @param done runs when the answer is a result, before that is sent
    void start(Message.Request request, Client client, Outbox back, Asking asking, Runnable done) throws RpcException {
        var places = reception.places();
        if (!places.tryAcquire()) {
            back.answer(Frame.of(Refusals.crowded(request)));
            return;
        }
        var call = new Call(reception, asking, turn(request, client, back, done));
        try {
            enter(request, call);
        } catch (RpcException e) {
            places.release();
            throw e;
        }
        begins();
        Thread.ofVirtual().name("mcp-call").start(() -> {
            try {
                call.run();
            } finally {
                ends();
                places.release();
            }
        });
    }

    /// The client comes again: its parked call goes on as `request`.
    ///
    /// @throws RpcException if there is none, or another of the id is under way
    void goOn(Message.Request request, Client client, Outbox back) throws RpcException {
        var state = ParkedCalls.state(request.params()).orElse("");
        var waiting = reception
                .parked()
                .claim(request, state)
                .orElseThrow(() -> Refusals.params("requestState is none that waits for this request: ask anew"));
        enter(request, waiting.call());
        var turn = turn(request, client, back, () -> {});
        if (!waiting.call().goesOn(turn)) {
            turn.over();
            throw Refusals.params("requestState came too late: ask anew");
        }
        try {
            waiting.questions().bring(ParkedCalls.answers(request.params()));
        } catch (InterruptedException _) {
            waiting.call().cancel();
            Thread.currentThread().interrupt();
        }
    }

    /// Has the offer follow one resource, for a client that listens.
    ///
    /// @param done runs if it does
    void follow(String uri, Client client, Runnable done) {
        unasked("resources/subscribe", uri, client, done);
    }

    /// Has the offer follow one resource no longer, for a client that listened.
    void leave(String uri, Client client) {
        unasked("resources/unsubscribe", uri, client, () -> {});
    }

    private void unasked(String method, String uri, Client client, Runnable done) {
        var request = new Message.Request(
                new RpcId.Text(method), method, Json.object().put("uri", uri).build());
        var turn = new Turn(
                request,
                client,
                Outbox.NOWHERE,
                result -> {
                    done.run();
                    return result;
                },
                () -> {});
        Thread.ofVirtual().name("mcp-follow").start(new Call(reception, (_, _) -> Map.of(), turn));
    }

    private Turn turn(Message.Request request, Client client, Outbox back, Runnable done) {
        var speech = new Speech(new Dialect(client.version()), offer());
        return new Turn(
                request,
                client,
                back,
                result -> {
                    done.run();
                    return speech.result(request.method(), result);
                },
                () -> pending.remove(request.id()));
    }

    /// The client takes a request back. One that is not under way was answered already.
    void cancel(RpcId id) {
        var one = pending.remove(id);
        if (one != null) {
            one.cancel();
        }
    }

    void cancelAll() {
        for (Pending one : new ArrayList<>(pending.values())) {
            one.cancel();
        }
        pending.clear();
    }

    /// Waits until nothing is worked on, but no longer than `patience`.
    synchronized void awaitQuiet(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (long left = patience.toMillis(); working > 0 && left > 0; left = millisUntil(deadline)) {
            wait(left);
        }
    }

    private static long millisUntil(long deadline) {
        return TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    }

    private synchronized void begins() {
        working++;
    }

    private synchronized void ends() {
        working--;
        notifyAll();
    }
}
