package dev.cagewright.egress.refusal;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;

/// A fatal alert in the clear, RFC 8446 section 6, for a hello that is not answered: clients give up at once
/// and say why.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public enum TlsAlert {
    DECODE_ERROR(50),
    MISSING_EXTENSION(109),
    UNRECOGNIZED_NAME(112);

    private static final int RECORD_ALERT = 21;
    private static final int FATAL = 2;

    private final int number;

    TlsAlert(int number) {
        this.number = number;
    }

    /// Sends it and closes the connection.
    public void send(ChannelHandlerContext context) {
        var record = new byte[] {RECORD_ALERT, 3, 3, 0, 2, FATAL, (byte) number};
        context.writeAndFlush(Unpooled.wrappedBuffer(record)).addListener(ChannelFutureListener.CLOSE);
    }
}
