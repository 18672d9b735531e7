package dev.cagewright.policy.action;

import java.util.List;
import java.util.Locale;

/// One thing a workload wants to do, canonical from construction: whoever holds one need not check or
/// normalise it again, and what is judged is what is executed.
public sealed interface Action {
    /// The action's name in policies, logs and messages, e.g. `proc.exec`.
    String name();

    /// Starting a program.
    ///
    /// @param argv the program and its arguments, never empty, at most [#MAX_ARGUMENTS] elements and
    ///     [#MAX_BYTES] bytes, no NUL; `argv[0]` is not empty and does not start with `-`
    /// @param workingDirectory where it starts, as the workload sees it
    record ProcExec(List<ByteString> argv, GuestPath workingDirectory) implements Action {
        /// Linux allows 128 KiB for one argument (`MAX_ARG_STRLEN`, linux/binfmts.h).
        public static final int MAX_ARGUMENT = 128 * 1024 - 1;

        public static final int MAX_ARGUMENTS = 65_536;
        public static final int MAX_BYTES = 1 << 20;

        public ProcExec {
            argv = List.copyOf(argv);
            requireProgram(argv);
            requireSizes(argv);
        }

        private static void requireProgram(List<ByteString> argv) {
            if (argv.isEmpty() || argv.getFirst().size() == 0) {
                throw new IllegalArgumentException("argv: no program (expected: a program and its arguments)");
            }
            if (argv.getFirst().at(0) == '-') {
                throw new IllegalArgumentException("argv[0]: " + argv.getFirst()
                        + " (expected: a program; one that starts with '-' reads as an option)");
            }
        }

        private static void requireSizes(List<ByteString> argv) {
            if (argv.size() > MAX_ARGUMENTS) {
                throw new IllegalArgumentException(
                        "argv: " + argv.size() + " elements (expected: at most " + MAX_ARGUMENTS + ")");
            }
            long total = 0;
            for (int i = 0; i < argv.size(); i++) {
                var argument = argv.get(i);
                if (argument.contains((byte) 0)) {
                    throw new IllegalArgumentException("argv[" + i + "]: contains NUL (expected: no NUL byte)");
                }
                if (argument.size() > MAX_ARGUMENT) {
                    throw new IllegalArgumentException(
                            "argv[" + i + "]: " + argument.size() + " bytes (expected: at most " + MAX_ARGUMENT + ")");
                }
                total += argument.size() + 1;
            }
            if (total > MAX_BYTES) {
                throw new IllegalArgumentException("argv: " + total + " bytes (expected: at most " + MAX_BYTES + ")");
            }
        }

        @Override
        public String name() {
            return "proc.exec";
        }
    }

    record FsRead(GuestPath path) implements Action {
        @Override
        public String name() {
            return "fs.read";
        }
    }

    record FsWrite(GuestPath path) implements Action {
        @Override
        public String name() {
            return "fs.write";
        }
    }

    /// One HTTP request.
    ///
    /// @param method upper case, an RFC 9110 token
    /// @param path absolute, without query, in the spelling of [RequestPath]; other spellings become that one
    record HttpRequest(String method, HostName host, int port, String path) implements Action {
        public HttpRequest {
            method = method.toUpperCase(Locale.ROOT);
            if (method.isEmpty() || !method.chars().allMatch(HttpRequest::isToken)) {
                throw new IllegalArgumentException(
                        "method: " + ByteString.of(method) + " (expected: an RFC 9110 token)");
            }
            requirePort(port);
            path = RequestPath.canonical(path);
        }

        private static boolean isToken(int c) {
            return c > 0x20 && c < 0x7f && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }

        @Override
        public String name() {
            return "http.request";
        }
    }

    record NetConnect(HostName host, int port) implements Action {
        public NetConnect {
            requirePort(port);
        }

        @Override
        public String name() {
            return "net.connect";
        }
    }

    /// Having the loopback of the host answer for a port of the cage.
    record NetPublish(int port) implements Action {
        public NetPublish {
            requirePort(port);
        }

        @Override
        public String name() {
            return "net.publish";
        }
    }

    record DnsLookup(HostName host) implements Action {
        @Override
        public String name() {
            return "dns.lookup";
        }
    }

    /// Putting a stored secret into something that leaves for `host`.
    record SecretUse(String secret, HostName host) implements Action {
        @Override
        public String name() {
            return "secret.use";
        }
    }

    record McpCall(String server, String tool) implements Action {
        @Override
        public String name() {
            return "mcp.call";
        }
    }

    /// Steering a run: `pause`, `resume`, `kill`.
    record RunControl(String verb) implements Action {
        @Override
        public String name() {
            return "run.control";
        }
    }

    private static void requirePort(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
    }
}
