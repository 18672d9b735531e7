package dev.cagewright.egress.refusal;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;

/// The end of a connection that is no clean one, so that nobody takes what came so far for the whole.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class Abort {
    private Abort() {}

    /// Resets the connection.
    public static void reset(Channel channel) {
        try {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        } catch (ChannelException _) {
            // it is closed already
        }
        channel.close();
    }
}
