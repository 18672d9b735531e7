package dev.cagewright.mcp.guest;

import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.judge.JudgeGround;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// A server as something that can be run: once, and again when it has ended.
public interface GuestProgram {
    /// What its client calls it.
    String name();

    /// Its session's way to the person behind the client of a call; empty where it has none.
    default Optional<ClientAsker> asker() {
        return Optional.empty();
    }

    /// Runs it once, from its gate to its end on record.
    ///
    /// @param pipes what it reads and writes
    /// @param stands hears of it as soon as it runs
    /// @return how it ended
    End run(Streams.Pipes pipes, Consumer<Standing> stands) throws InterruptedException;

    /// A run that is under way.
    ///
    /// @param session its gate judges what the server is asked to do, for as long as the run lasts
    /// @param ground of its judge; holds secrets until the run is over
    /// @param program what was started, which with the name tells one server from another
    /// @param signal sends the program a signal of signal(7)
    record Standing(
            Session session, PolicyInForce policy, JudgeGround ground, List<ByteString> program, IntConsumer signal) {
        public Standing {
            program = List.copyOf(program);
        }
    }

    /// How a run ended.
    ///
    /// @param why a clause that goes on behind the server's name, as `ended with exit code 1`
    record End(String why, Hope hope) {}

    /// Is there any sense in another run?
    enum Hope {
        /// It ran, and something went wrong.
        AGAIN,
        /// It could not even run, and will not as things are.
        NONE
    }
}
