package dev.cagewright.cli.mcp;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.pin.Pins;
import dev.cagewright.mcp.relay.Judgement;
import dev.cagewright.mcp.relay.Relay;
import dev.cagewright.policy.action.ByteString;
import java.util.Map;
import java.util.function.Function;

/// What is around servers that this process runs: the judgement of their sessions, and who hears them.
///
/// @param manners towards a server by its name
record ServerHouse(Console console, Function<String, Manners> manners) {
    /// How one server is treated.
    ///
    /// @param first what becomes of its first definitions
    record Manners(Pins.First first, Patience patience) {
        static final Manners USUAL = new Manners(Pins.First.TRUST, Patience.USUAL);
    }

    /// What every program in a cage has, and nobody outside.
    private static final ByteString INSIDE = ByteString.of("CAGEWRIGHT_SESSION");

    /// Servers are not run from within a cage: they are in one already, and none is made inside of another.
    ///
    /// @param caller the variables of whoever wants them to run
    /// @throws IllegalArgumentException saying what to do instead
    static void requireOutside(Map<ByteString, ByteString> caller) {
        var session = caller.get(INSIDE);
        if (session != null) {
            throw new IllegalArgumentException("this is inside of a cage already (session " + session
                    + "), and no cage is made in a cage (expected: the server's own command, which this cage holds)");
        }
    }

    Relay.House house() {
        return new Relay.House(
                (server, standing) ->
                        new Judgement(server, standing, manners.apply(server).first()),
                new ServerVoice(console),
                server -> manners.apply(server).patience());
    }
}
