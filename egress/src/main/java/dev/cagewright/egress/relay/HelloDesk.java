package dev.cagewright.egress.relay;

import dev.cagewright.egress.authority.Leaf;
import dev.cagewright.egress.hello.ClientHello;
import dev.cagewright.egress.refusal.TlsAlert;
import dev.cagewright.policy.action.HostName;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/// Settles what becomes of a TLS connection once its hello is whole: refused because its names do not agree,
/// passed on unopened because every rule says so, or opened.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class HelloDesk {
    private final ChannelHandlerContext context;
    private final FirstBytes front;
    private final Arrival arrival;
    private final ClientHello.Hello hello;

    private HelloDesk(ChannelHandlerContext context, FirstBytes front, Arrival arrival, ClientHello.Hello hello) {
        this.context = context;
        this.front = front;
        this.arrival = arrival;
        this.hello = hello;
    }

    static void serve(ChannelHandlerContext context, FirstBytes front, Arrival arrival, ClientHello.Hello hello) {
        new HelloDesk(context, front, arrival, hello).serve();
    }

    private void serve() {
        var named = hello.serverName();
        switch (arrival.dialled()) {
            case Dialled.Name(HostName host, var how) -> {
                if (named.isPresent() && !named.get().equals(host)) {
                    refuse(TlsAlert.UNRECOGNIZED_NAME, "TLS names " + named.get() + ", dialled was " + host);
                } else if (named.isEmpty() && how == Dialled.How.BY_ADDRESS) {
                    refuse(TlsAlert.MISSING_EXTENSION, "TLS names no server (SNI)");
                } else if (Passing.isUnopened(arrival)) {
                    pass(named);
                } else {
                    open(Optional.of(host));
                }
            }
            case Dialled.Address _ -> open(named);
            case Dialled.Nobody _ -> {
                if (named.isEmpty()) {
                    refuse(TlsAlert.MISSING_EXTENSION, "TLS names no server (SNI)");
                } else {
                    open(named);
                }
            }
        }
    }

    private void refuse(TlsAlert alert, String why) {
        arrival.refused(why);
        alert.send(context);
    }

    /// Nothing else than the hello says whom the bytes are for, so it has to say it here even behind CONNECT.
    private void pass(Optional<HostName> named) {
        if (named.isEmpty()) {
            refuse(TlsAlert.MISSING_EXTENSION, "TLS names no server (SNI), and inspect: false cannot look");
        } else if (hello.encrypted() == ClientHello.EncryptedHello.OFFERED) {
            refuse(TlsAlert.UNRECOGNIZED_NAME, "the hello may hide another name (ECH), and inspect: false cannot look");
        } else {
            Passing.begin(context, front, arrival);
        }
    }

    private void open(Optional<HostName> name) {
        try {
            arrival.waiting().execute(() -> {
                try {
                    var server = arrival.desk().servers().of(leaf(name));
                    context.channel().eventLoop().execute(() -> opened(server));
                } catch (IOException | RuntimeException e) {
                    arrival.refused("no certificate can be made: " + e.getMessage());
                    context.close();
                }
            });
        } catch (RejectedExecutionException _) {
            context.close();
        }
    }

    /// @param name empty for an address
    private Leaf leaf(Optional<HostName> name) {
        var authority = arrival.cage().authority();
        if (name.isPresent()) {
            return authority.leafFor(name.get());
        }
        return switch (arrival.dialled()) {
            case Dialled.Address(var address) -> authority.leafFor(address);
            case Dialled.Name(var host, var _) -> authority.leafFor(host);
            case Dialled.Nobody(var address) -> authority.leafFor(address);
        };
    }

    private void opened(SslContext server) {
        if (context.channel().isActive()) {
            TlsOpening.install(context, front, arrival, server);
        }
    }
}
