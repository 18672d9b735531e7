package dev.cagewright.supervisor.signing;

import dev.cagewright.supervisor.hatch.Deadline;
import dev.cagewright.supervisor.hatch.Reception;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/// Answers the messages of one connection of a cage's clients, one after the other.
record SigningTalk(SigningClerk clerk) implements Reception.Talk {
    /// A person who is asked may take as long.
    static final Reception.Bounds BOUNDS = new Reception.Bounds(16, Duration.ofMinutes(15));

    /// More than git's clients ask on one connection.
    private static final int MOST_MESSAGES = 64;

    /// What git has signed is two hundred bytes; a key's half a few hundred.
    private static final int MOST = 16 * 1024;

    @Override
    public void with(SocketChannel channel, Deadline deadline) throws IOException {
        var in = new BufferedInputStream(Channels.newInputStream(channel));
        var out = Channels.newOutputStream(channel);
        for (int i = 0; i < MOST_MESSAGES; i++) {
            var message = AgentWords.read(in, MOST);
            if (message.isEmpty()) {
                return;
            }
            out.write(AgentWords.framed(clerk.answer(message.get())));
        }
    }
}
