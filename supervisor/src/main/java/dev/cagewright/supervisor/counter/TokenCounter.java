package dev.cagewright.supervisor.counter;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.supervisor.hatch.GuestSocket;
import dev.cagewright.supervisor.hatch.Hatch;
import dev.cagewright.supervisor.state.SharedFolder;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The socket of one cage, from before the cage is built until it is gone; nothing for a session without a token. On
/// the host it lies in a folder that only the person may enter, and only the cage's own user is answered. For one
/// thread.
public final class TokenCounter implements AutoCloseable {
    /// Where the cage finds the socket's folder.
    public static final GuestPath PLACE = new GuestPath("/run/cagewright/token");

    /// Tells a program where the socket is.
    public static final String VARIABLE = "CAGEWRIGHT_TOKEN_SOCKET";

    private static final Hatch.Terms TERMS = new Hatch.Terms(192 << 10, 16, Duration.ofSeconds(5));

    private final Optional<Standing> standing;
    private @Nullable Hatch hatch;

    private TokenCounter(Optional<Standing> standing) {
        this.standing = standing;
    }

    private record Standing(HeldToken held, GuestSocket socket) {}

    /// Makes the socket; nobody is answered yet.
    ///
    /// @param shared where the socket stands
    /// @throws ConfinementException if it cannot be made; nothing is left then
    public static TokenCounter of(SharedFolder shared, Optional<HeldToken> held) throws ConfinementException {
        if (held.isEmpty()) {
            return new TokenCounter(Optional.empty());
        }
        try {
            return new TokenCounter(Optional.of(new Standing(held.get(), GuestSocket.make(shared, "counter", PLACE))));
        } catch (IOException | IllegalArgumentException e) {
            throw refusal("make its socket", e);
        }
    }

    private static ConfinementException refusal(String what, Exception why) {
        var refusal = new ConfinementException(
                "token",
                what,
                String.valueOf(why.getMessage()),
                "name a short TMPDIR that you can write, or run without --token");
        refusal.initCause(why);
        return refusal;
    }

    /// `spec` with the socket's folder mounted, read-only.
    public CageSpec over(CageSpec spec) {
        return standing.map(one -> one.socket().over(spec)).orElse(spec);
    }

    /// `launch` with the variable set.
    public Launch over(Launch launch) {
        if (standing.isEmpty()) {
            return launch;
        }
        var block = new ArrayList<>(launch.environment());
        block.add(ByteString.of(VARIABLE + "=" + standing.get().socket().guest()));
        return launch.withEnvironment(block);
    }

    /// Begins to answer the cage's own user.
    ///
    /// @throws ConfinementException if it cannot be told who that is
    public void open(Cage cage) throws ConfinementException {
        if (standing.isEmpty()) {
            return;
        }
        var clerk = new CounterClerk(standing.get().held(), new Pace(System::nanoTime), InstantSource.system());
        try {
            hatch = Hatch.open(standing.get().socket().listening(), TERMS, GuestSocket.onlyUserOf(cage), clerk);
        } catch (IOException e) {
            throw refusal("find out who the cage is", e);
        }
    }

    @Override
    public void close() {
        if (hatch != null) {
            hatch.close();
        }
        standing.ifPresent(one -> one.socket().close());
    }
}
