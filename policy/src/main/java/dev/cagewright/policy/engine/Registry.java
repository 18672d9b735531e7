package dev.cagewright.policy.engine;

import java.util.List;
import java.util.Map;

/// The package registry of one tool, as found on this machine.
public sealed interface Registry {

    /// Where the tool fetches from, in the order it was found.
    ///
    /// @param variables that tell it so in a cage, which does not see the person's files; without passwords
    record Known(List<Host> hosts, Map<String, String> variables) implements Registry {
        public Known {
            hosts = List.copyOf(hosts);
            variables = Map.copyOf(variables);
        }

        /// Hosts that the tool finds by itself in a cage.
        public Known(List<Host> hosts) {
            this(hosts, Map.of());
        }
    }

    /// Nobody can say where the tool fetches from.
    ///
    /// @param why a sentence that says what to do, behind `FIELD: `
    record Unknown(String why) implements Registry {}

    /// One host.
    ///
    /// @param name a name, or an address
    /// @param from the file or variable that names it, for people
    record Host(String name, int port, String from) {
        @Override
        public String toString() {
            return (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":" + port + " (" + from + ")";
        }
    }
}
