package dev.cagewright.egress.relay;

import dev.cagewright.egress.http2.ServerStreams;
import dev.cagewright.egress.upstream.Causes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.Objects;

/// A handshake with the cage's client, and then what it speaks inside.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class TlsOpening extends ChannelInboundHandlerAdapter {
    private final Arrival arrival;
    private final SslHandler tls;

    private TlsOpening(Arrival arrival, SslHandler tls) {
        this.arrival = arrival;
        this.tls = tls;
    }

    /// Puts the handshake in the place of `front`, whose bytes it gets.
    static void install(ChannelHandlerContext context, FirstBytes front, Arrival arrival, SslContext server) {
        var pipeline = context.pipeline();
        var tls = server.newHandler(context.alloc());
        tls.setHandshakeTimeoutMillis(arrival.desk().deadlines().greeting().toMillis());
        pipeline.addLast(tls, new TlsOpening(arrival, tls));
        pipeline.remove(front);
        context.channel().read();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        tls.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                speak(context);
            } else {
                arrival.refused("the client broke the TLS handshake off: " + Causes.words(done.cause()));
                context.close();
            }
        });
    }

    private void speak(ChannelHandlerContext context) {
        if (Objects.equals(tls.applicationProtocol(), ApplicationProtocolNames.HTTP_2)) {
            ServerStreams.install(
                    context.pipeline(),
                    arrival.desk().deadlines().head(),
                    arrival::refused,
                    () -> new Conversation(arrival, Wire.STREAM_2));
            context.pipeline().remove(this);
        } else {
            Wire.install(context, this, new Conversation(arrival, Wire.OPENED_1));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
