package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.namespaces.limits.CageGroups;
import dev.cagewright.sandbox.namespaces.limits.ControlGroups;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// First processes that sit in their namespaces and control groups and wait for a specification, any one. Whoever
/// stays for longer keeps some ready, because making one takes longer than the rest of a cage. Safe for all threads.
final class Blanks implements AutoCloseable {
    private static final int MOST = SpawnServer.PLACES / 2;

    /// One of them; whoever takes it closes it, or hands both parts on.
    ///
    /// @param user whose cage it can become; empty for anybody's
    record Blank(CageLine line, CageGroups groups, Optional<CageUser> user) implements AutoCloseable {
        private boolean fits(CageUser wanted) {
            return !line.isDead() && user.map(wanted::equals).orElse(true);
        }

        /// Ends the process if it lives, and gives back what it had.
        @Override
        public void close() {
            line.killFirstProcess();
            line.close();
            groups.close();
        }
    }

    private final SpawnServer server;
    private final ControlLoop loop;
    private final ControlGroups groups = ControlGroups.find();
    private final int wanted;
    private final Queue<Blank> ready = new ArrayDeque<>();
    private final @Nullable Thread thread;
    private Optional<CageUser> onlyUser = Optional.empty();
    private boolean severalUsers;
    private boolean filling = true;
    private boolean failed;
    private boolean closed;

    /// @param wanted how many to keep ready, 0 for none
    Blanks(SpawnServer server, ControlLoop loop, int wanted) {
        this.server = server;
        this.loop = loop;
        this.wanted = wanted;
        this.thread = wanted == 0
                ? null
                : Thread.ofPlatform().daemon().name("cagewright-blanks").start(this::fillUp);
    }

    static void requireCount(int wanted) {
        if (wanted < 0 || wanted > MOST) {
            throw new IllegalArgumentException("ahead: " + wanted + " (expected: 0 to " + MOST + ")");
        }
    }

    /// One that is ready and can become a cage of `user`, or a new one.
    Blank take(CageUser user) throws ConfinementException {
        note(user);
        for (var blank = poll(); blank.isPresent(); blank = poll()) {
            if (blank.get().fits(user)) {
                return blank.get();
            }
            abandon(blank.get());
        }
        return make(Optional.of(user));
    }

    /// As long as all cages are of one user, the next ones will be too; after that they are made for anybody.
    private synchronized void note(CageUser user) {
        severalUsers |= !onlyUser.map(user::equals).orElse(true);
        onlyUser = severalUsers ? Optional.empty() : Optional.of(user);
    }

    private synchronized Optional<CageUser> nextUser() {
        return onlyUser;
    }

    /// Makes one now. A failure is not told here, but to whoever takes one.
    void prepare() {
        try {
            put(make(nextUser()));
        } catch (ConfinementException | RuntimeException _) {
            noteFailure();
        }
    }

    private synchronized Optional<Blank> poll() {
        var taken = Optional.ofNullable(ready.poll());
        failed = false;
        filling |= ready.size() <= wanted / 2;
        notifyAll();
        return taken;
    }

    private Blank make(Optional<CageUser> user) throws ConfinementException {
        var own = groups.create();
        try {
            return new Blank(CageLine.open(server, loop, own, user), own, user);
        } catch (ConfinementException | RuntimeException e) {
            own.close();
            throw e;
        }
    }

    private static void abandon(Blank blank) {
        blank.line().drop();
        blank.close();
    }

    /// A failure is not told here: whoever finds none ready makes one and hears of it. The next attempt comes when
    /// somebody has taken one.
    private void fillUp() {
        while (awaitShortage()) {
            prepare();
        }
    }

    private synchronized void noteFailure() {
        failed = true;
    }

    /// Half of them at a time: the kernel makes only the first of several moves into control groups wait.
    private synchronized boolean awaitShortage() {
        filling &= ready.size() < wanted;
        while (!closed && (failed || !filling)) {
            try {
                wait();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return !closed;
    }

    private void put(Blank blank) {
        synchronized (this) {
            if (!closed) {
                ready.add(blank);
                return;
            }
        }
        abandon(blank);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        join();
        for (var blank = poll(); blank.isPresent(); blank = poll()) {
            abandon(blank.get());
        }
        groups.close();
    }

    private void join() {
        if (thread == null) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
