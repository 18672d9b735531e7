package dev.cagewright.supervisor.resident;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.host.ThisProcess;
import dev.cagewright.supervisor.hatch.Peers;
import dev.cagewright.supervisor.resident.log.Notes;
import dev.cagewright.supervisor.resident.wire.Line;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// The background supervisor: listens, lets nobody in but its own user, and hosts the named cages. Ends when it is told
/// to, or when it had no cage and no caller for a while. Closing it takes every cage down. Safe for all threads.
public final class ResidentServer implements AutoCloseable {
    /// How many conversations there are at once; who comes then waits.
    private static final int MOST = 512;

    private static final long BACK_OFF_MILLIS = 50;

    /// How long whoever was answered may take to close its side.
    private static final Duration PARTING = Duration.ofSeconds(10);

    /// How often it looks whether it is of use, and whether its socket is still there.
    private static final long LOOK_MILLIS = 1_000;

    private final SupervisorPlace place;
    private final Map<String, String> environment;
    private final FileChannel lock;
    private final Runtime runtime;
    private final Notes notes;
    private final Resident resident;
    private final Predicate<SocketChannel> welcome;
    private final Semaphore places = new Semaphore(MOST);
    private final Set<Line> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch wanted = new CountDownLatch(1);
    private volatile ServerSocketChannel listening;
    private volatile Path socket;

    private ResidentServer(
            StateFolders folders,
            SupervisorPlace place,
            Map<String, String> environment,
            FileChannel lock,
            Runtime runtime)
            throws IOException {
        this.place = place;
        this.environment = Map.copyOf(environment);
        this.lock = lock;
        this.runtime = runtime;
        this.notes = new Notes(place.notes());
        this.welcome = Peers.only(ThisProcess.user());
        this.socket = place.socket(environment);
        this.listening = bound(socket);
        this.resident = new Resident(folders, runtime, notes);
        place.tell(socket);
    }

    /// Starts it.
    ///
    /// @param environment says where the person's runtime folder is
    /// @param source starts the runtime of all its cages
    /// @return empty if there is one already
    public static Optional<ResidentServer> start(
            StateFolders folders, Map<String, String> environment, RuntimeSource source)
            throws IOException, ConfinementException {
        var place = SupervisorPlace.of(folders);
        var lock = place.lock();
        if (lock.isEmpty()) {
            return Optional.empty();
        }
        try {
            var runtime = source.start();
            try {
                var server = new ResidentServer(folders, place, environment, lock.get(), runtime);
                server.notes.say("begins, listens at " + server.socket);
                server.accepting(server.listening);
                return Optional.of(server);
            } catch (IOException | RuntimeException e) {
                runtime.close();
                throw e;
            }
        } catch (IOException | ConfinementException | RuntimeException e) {
            lock.get().close();
            throw e;
        }
    }

    /// Whoever holds the lock may take away what the last one left.
    private static ServerSocketChannel bound(Path socket) throws IOException {
        Files.deleteIfExists(socket);
        var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void accepting(ServerSocketChannel channel) {
        Thread.ofPlatform().daemon().name("supervisor-accept").start(() -> accept(channel));
    }

    private void accept(ServerSocketChannel channel) {
        while (channel.isOpen()) {
            try {
                places.acquire();
                admit(channel.accept());
            } catch (ClosedChannelException _) {
                return;
            } catch (IOException _) {
                places.release();
                pause();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /// When no descriptor is left, say, there may be one soon.
    private static void pause() {
        try {
            Thread.sleep(BACK_OFF_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void admit(SocketChannel channel) {
        var line = new Line(channel);
        open.add(line);
        Thread.ofVirtual().name("conversation").start(() -> {
            try (line) {
                if (welcome.test(channel)) {
                    new Conversation(line, resident, this::end).hold();
                    line.part(PARTING);
                }
            } catch (IOException _) {
                return; // whoever asked is gone
            } catch (RuntimeException e) {
                notes.say("a conversation failed: " + e);
            } finally {
                open.remove(line);
                places.release();
            }
        });
    }

    /// Has [#await] return.
    public void end() {
        wanted.countDown();
    }

    /// Waits until it is told to end, or was of no use for `idle`.
    ///
    /// @param idle empty for ever
    public void await(Optional<Duration> idle) throws InterruptedException {
        long used = System.nanoTime();
        while (!wanted.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (!resident.isEmpty() || !open.isEmpty()) {
                used = System.nanoTime();
            }
            if (idle.isPresent() && System.nanoTime() - used >= idle.get().toNanos()) {
                notes.say("had nothing to do for " + idle.get().toSeconds() + " s");
                return;
            }
            listenAgainIfGone();
        }
    }

    /// The runtime folder of a person goes with their last log-in; cages stay, and have to be reached.
    private void listenAgainIfGone() {
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            listening.close();
            socket = place.socket(environment);
            listening = bound(socket);
            place.tell(socket);
            accepting(listening);
            notes.say("its socket was taken away, listens at " + socket);
        } catch (IOException e) {
            notes.say("its socket was taken away, and there cannot be another: " + e.getMessage());
        }
    }

    /// Takes every cage down; then there may be another supervisor.
    @Override
    public void close() throws IOException {
        notes.say("ends");
        listening.close();
        Files.deleteIfExists(socket);
        resident.close();
        for (Line line : open) {
            line.close();
        }
        runtime.close();
        try (notes) {
            lock.close();
        }
    }
}
