package dev.cagewright.supervisor.grant;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Ends the grants of a session when their time is over, and does what other commands want of it, as soon as the
/// kernel tells of their files. Whoever begins it closes it.
public final class GrantWatch implements AutoCloseable {
    /// Where the kernel tells nothing, it is looked this often.
    private static final Duration LOOK = Duration.ofMillis(500);

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Path session;
    private final SessionGrants grants;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    /// Null where the kernel gives no notice.
    private final @Nullable WatchService news;

    private GrantWatch(Path session, SessionGrants grants) {
        this.session = session;
        this.grants = grants;
        this.news = news(session);
        this.thread = Thread.ofPlatform().daemon().name("grants").unstarted(this::watch);
    }

    static GrantWatch begin(Path session, SessionGrants grants) {
        var watch = new GrantWatch(session, grants);
        watch.thread.start();
        return watch;
    }

    private static @Nullable WatchService news(Path session) {
        try {
            var folder = GrantFolder.create(session).path();
            var news = folder.getFileSystem().newWatchService();
            folder.register(news, StandardWatchEventKinds.ENTRY_CREATE);
            return news;
        } catch (IOException _) {
            return null;
        }
    }

    private void watch() {
        try {
            while (over.getCount() > 0) {
                step();
                await();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ClosedWatchServiceException _) {
            return; // it is over
        }
    }

    private void step() {
        try {
            grants.expire();
            var folder = GrantFolder.of(session);
            for (var name : folder.orders()) {
                obey(folder, name);
            }
        } catch (IOException | RuntimeException _) {
            return; // whoever ordered waits in vain, and says so; the next look comes
        }
    }

    private void obey(GrantFolder folder, String name) throws IOException {
        var order = folder.take(name);
        if (order.isPresent()) {
            folder.done(name, answer(order.get()).toJson().bytes());
        }
    }

    private OrderAnswer answer(byte[] order) {
        try {
            return GrantOrder.parse(order).on(grants);
        } catch (IOException | RuntimeException e) {
            return OrderAnswer.refused("the order cannot be read: " + GrantJournal.safe("" + e.getMessage()));
        }
    }

    private void await() throws InterruptedException {
        var left = grants.held()
                .untilNext()
                .filter(time -> time.compareTo(LOOK) < 0)
                .orElse(LOOK);
        long millis = Math.max(1, left.toMillis() + 1);
        if (news == null) {
            var _ = over.await(millis, TimeUnit.MILLISECONDS);
            return;
        }
        var key = news.poll(millis, TimeUnit.MILLISECONDS);
        if (key != null) {
            key.pollEvents();
            key.reset();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            if (news != null) {
                news.close();
            }
            thread.join(PATIENCE);
        } catch (IOException _) {
            return; // it looks for the last time before long
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            grants.end();
        }
    }
}
