package dev.cagewright.supervisor.standstill;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.KillReason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Has all processes of one cage stand still, until a person says what becomes of them. What cannot be made to stand
/// still is ended. The run's time goes on. Whoever makes it closes it; safe for all threads.
public final class Standstill implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Path session;
    private final Consumer<Order> obeyed;
    private final CountDownLatch over = new CountDownLatch(1);
    private boolean stands;

    /// @param session the session's folder
    /// @param obeyed hears of each order that was carried out, on a thread of its own
    public Standstill(Path session, Consumer<Order> obeyed) {
        this.session = session;
        this.obeyed = obeyed;
    }

    /// From when it returns on nothing in the cage runs. Nothing happens if it stands still already.
    public synchronized void begin(Cage cage) {
        if (stands || over.getCount() == 0) {
            return;
        }
        try {
            cage.pause();
            stands = true;
            Order.await(session);
            Thread.ofPlatform().daemon().name("standstill").start(() -> awaitOrder(cage));
        } catch (ConfinementException | IOException _) {
            cage.kill(KillReason.REQUESTED); // nobody could let it go on
        }
    }

    private void awaitOrder(Cage cage) {
        try {
            while (!over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                var order = Order.given(session);
                if (order.isPresent()) {
                    obey(order.get(), cage);
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void obey(Order order, Cage cage) {
        obeyed.accept(order); // on record before it goes on
        synchronized (this) {
            stands = false;
            Order.settled(session);
            switch (order) {
                case END -> cage.kill(KillReason.REQUESTED);
                case RESUME -> resume(cage);
            }
        }
    }

    private static void resume(Cage cage) {
        try {
            cage.resume();
        } catch (ConfinementException _) {
            cage.kill(KillReason.REQUESTED);
        }
    }

    /// The run is over, and no order is awaited.
    @Override
    public synchronized void close() {
        over.countDown();
        Order.settled(session);
    }
}
