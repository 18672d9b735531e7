package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// One `subscriptions/listen` to a server without a session, under way until it is taken back or the server ends it.
/// What
/// the server tells meanwhile comes as notifications. Safe for all threads.
final class Attention implements Nobody {
    private static final Duration FOR_EVER = Duration.ofDays(3_650);

    /// A request that lasted so long came to something.
    private static final Duration LASTING = Duration.ofSeconds(1);

    private final List<Runnable> whenCancelled = new ArrayList<>();
    private boolean isCancelled;
    private Optional<JsonObject> heard = Optional.empty();
    private Optional<RpcError> end = Optional.empty();

    /// Listens until it is taken back: a server may end a request that lasts, and is asked again. One that ends it
    /// again
    /// and again at once is not.
    ///
    /// @param params of the request, with all that the version wants
    void keep(Interview interview, JsonObject params) throws InterruptedException {
        long begun = System.nanoTime() - LASTING.toNanos();
        while (!isCancelled() && System.nanoTime() - begun >= LASTING.toNanos()) {
            begun = System.nanoTime();
            listen(interview, params);
        }
    }

    private void listen(Interview interview, JsonObject params) throws InterruptedException {
        synchronized (this) {
            whenCancelled.clear();
        }
        try {
            interview.ask("subscriptions/listen", params, this, new Patience(FOR_EVER, FOR_EVER, FOR_EVER));
            ended(new RpcError(RpcError.INTERNAL_ERROR, "the MCP server does not tell any more of what changes"));
        } catch (RpcException e) {
            ended(e.error());
        }
    }

    private synchronized void ended(RpcError why) {
        end = Optional.of(why);
        notifyAll();
    }

    /// The server says what of it it will tell.
    synchronized void acknowledged(JsonObject filter) {
        heard = Optional.of(filter);
        notifyAll();
    }

    /// What the server agreed to tell.
    ///
    /// @throws RpcException if it ended instead, or says nothing in time
    synchronized JsonObject agreed(Duration within) throws RpcException, InterruptedException {
        long deadline = System.nanoTime() + within.toNanos();
        long left = within.toMillis();
        while (heard.isEmpty() && end.isEmpty() && left > 0) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
        if (heard.isPresent()) {
            return heard.get();
        }
        throw new RpcException(end.orElseGet(() -> new RpcError(
                RpcError.INTERNAL_ERROR,
                "the MCP server did not say within " + within.toSeconds() + " s whether it tells of that")));
    }

    /// Takes it back.
    void cancel() {
        List<Runnable> actions;
        synchronized (this) {
            isCancelled = true;
            actions = List.copyOf(whenCancelled);
        }
        actions.forEach(Runnable::run);
    }

    @Override
    public void whenCancelled(Runnable action) {
        synchronized (this) {
            if (!isCancelled) {
                whenCancelled.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public synchronized boolean isCancelled() {
        return isCancelled;
    }
}
