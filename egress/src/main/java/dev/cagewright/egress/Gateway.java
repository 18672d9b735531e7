package dev.cagewright.egress;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.deadline.Deadlines;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.egress.relay.Listener;
import dev.cagewright.egress.resolve.HostResolver;
import dev.cagewright.egress.resolve.Resolver;
import dev.cagewright.egress.tls.TlsClients;
import dev.cagewright.egress.tls.TlsEngine;
import dev.cagewright.egress.upstream.Lookup;
import dev.cagewright.policy.action.HostName;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The door of all cages of one supervisor: a few threads that serve whatever cage is attached. Whoever
/// starts it closes it, after the attachments. Safe for all threads.
public final class Gateway implements AutoCloseable {
    /// What Netty would say goes nowhere: the error stream is a person's, and a line that cannot be formatted, because
    /// no file can be opened any more, would end the thread that says it.
    private static final Logger NETTY = Logger.getLogger("io.netty");

    private final EventLoopGroup loops;
    private final LateResolver resolver;
    private final Listener.Shared shared;

    private Gateway(EventLoopGroup loops, LateResolver resolver, Settings settings) {
        this.loops = loops;
        this.resolver = resolver;
        this.shared = new Listener.Shared(
                new Lookup(resolver), new TlsClients(settings.engine()), settings.engine(), settings.deadlines());
    }

    /// How a gateway works.
    ///
    /// @param threads that serve connections, at least 1
    public record Settings(int threads, TlsEngine engine, Deadlines deadlines) {
        public static Settings usual() {
            int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
            return new Settings(threads, TlsEngine.NATIVE, Deadlines.DEFAULT);
        }
    }

    public static Gateway start(Settings settings) {
        NETTY.setLevel(Level.OFF);
        var threads = new DefaultThreadFactory("gateway", /* daemon= */ true);
        var loops = new MultiThreadIoEventLoopGroup(settings.threads(), threads, EpollIoHandler.newFactory());
        return new Gateway(loops, new LateResolver(), settings);
    }

    /// Looks a name of the host's own choice up, as those that are dialled.
    public CompletionStage<List<IpAddress>> addresses(HostName name) {
        return resolver.resolve(name);
    }

    /// Serves the connections of one cage until what is returned is closed.
    ///
    /// @param tcp a listening socket of the cage's network, non-blocking; the gateway's from now on
    public Listener attach(int tcp, CageNetwork network) {
        return Listener.open(tcp, network, loops, shared);
    }

    /// Serves the connections that the host itself makes to `door`, each as one of the cage's, until what is returned
    /// is closed.
    public Listener attach(LocalDoor door, CageNetwork network) {
        return Listener.open(door, network, loops, shared);
    }

    /// Many a cage's rules say the addresses themselves, and then nobody has to be asked.
    private static final class LateResolver implements Resolver {
        private @Nullable HostResolver resolver;
        private boolean isClosed;

        @Override
        public CompletionStage<List<IpAddress>> resolve(HostName name) {
            return ready().<CompletionStage<List<IpAddress>>>map(known -> known.resolve(name))
                    .orElseGet(() -> CompletableFuture.failedStage(new IllegalStateException("the gateway is closed")));
        }

        private synchronized Optional<HostResolver> ready() {
            if (resolver == null && !isClosed) {
                resolver = HostResolver.ofThisMachine();
            }
            return isClosed ? Optional.empty() : Optional.ofNullable(resolver);
        }

        synchronized void close() {
            isClosed = true;
            if (resolver != null) {
                resolver.close();
            }
        }
    }

    /// Ends the threads.
    @Override
    public void close() {
        var ended = loops.shutdownGracefully(0, 2, TimeUnit.SECONDS);
        resolver.close();
        ended.awaitUninterruptibly();
    }
}
