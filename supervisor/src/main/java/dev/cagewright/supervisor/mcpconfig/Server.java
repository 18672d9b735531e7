package dev.cagewright.supervisor.mcpconfig;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A server that a file names.
public sealed interface Server {
    /// What the file calls it; any text.
    String name();

    /// A program that a client starts and talks to over its pipes.
    ///
    /// @param command as it stands there
    /// @param variables names of those that the file sets; their values may be secrets
    record Program(String name, String command, List<String> arguments, List<String> variables) implements Server {
        public Program {
            arguments = List.copyOf(arguments);
            variables = List.copyOf(variables);
        }

        /// What a client starts, the program first.
        public List<String> words() {
            var words = new ArrayList<String>();
            words.add(command);
            words.addAll(arguments);
            return words;
        }

        /// Is it started by this product already?
        public boolean isCaged() {
            var program = command.substring(command.lastIndexOf('/') + 1);
            return program.equals("cagewright");
        }
    }

    /// A server somewhere else, which is spoken to over Streamable HTTP.
    ///
    /// @param url as it stands there
    /// @param headers that go with each request, as they stand there; may be secrets
    record Remote(String name, String url, Map<String, String> headers) implements Server {
        public Remote {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }

        /// Headers and what stands behind `?` may be secrets.
        @Override
        public String toString() {
            return "Remote[" + name + " at " + host() + "]";
        }

        /// The host and port that its address names; empty when it is no address of the web, or has variables there.
        public String host() {
            try {
                var uri = new URI(url);
                var host = uri.getHost();
                return host == null ? "" : uri.getPort() < 0 ? host : host + ":" + uri.getPort();
            } catch (URISyntaxException _) {
                return "";
            }
        }
    }

    /// An entry that is neither.
    record Odd(String name, String why) implements Server {}
}
