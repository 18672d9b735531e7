package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.HostRule;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The narrowest change of a policy that would allow a refused action, or the news that there is none.
public sealed interface Remedy {
    /// The change as lines for the policy file, or why there is none as a comment.
    String yaml();

    /// A further entry of `net.hosts`.
    record AddHost(HostRule rule) implements Remedy {
        @Override
        public String yaml() {
            var target = switch (rule.target()) {
                case HostRule.Target.Host(String pattern) -> "host: " + quoted(pattern);
                case HostRule.Target.Alias(String name) -> "alias: " + quoted(name);
            };
            return "net:\n  hosts:\n    - {" + target
                    + rule.methods()
                            .map(methods -> ", methods: " + list(methods))
                            .orElse("")
                    + rule.paths().map(paths -> ", paths: " + list(paths)).orElse("")
                    + ports()
                    + (rule.protocol() == HostRule.Protocol.TCP ? ", protocol: tcp" : "")
                    + "}";
        }

        private String ports() {
            return rule.ports()
                    .map(ports ->
                            ", ports: [" + ports.stream().map(String::valueOf).collect(Collectors.joining(", ")) + "]")
                    .orElse("");
        }
    }

    /// A further entry of `exec.allowlist`.
    record AddProgram(String program) implements Remedy {
        @Override
        public String yaml() {
            return "exec:\n  allowlist:\n    - " + quoted(program);
        }
    }

    /// A further entry of `fs.mounts`; the source is the person's choice.
    record AddMount(GuestPath path, Access access) implements Remedy {
        /// What is needed.
        public enum Access {
            READ,
            WRITE
        }

        @Override
        public String yaml() {
            return "fs:\n  mounts:\n    - {path: " + quoted(path.value()) + ", mode: "
                    + (access == Access.WRITE ? "rw" : "ro") + ", source: SOURCE}";
        }
    }

    /// `mode: rw` for the mount that is read-only.
    record MakeWritable(String mount) implements Remedy {
        @Override
        public String yaml() {
            return "# in " + mount + "\nmode: rw";
        }
    }

    /// A further destination of a credential that is there.
    record AddDestination(String secret, String host) implements Remedy {
        @Override
        public String yaml() {
            return "# in the entry of credentials named " + quoted(secret) + "\nuse_with:\n  - " + quoted(host);
        }
    }

    /// A credential that is not there yet.
    record AddCredential(String secret, String host) implements Remedy {
        @Override
        public String yaml() {
            return "credentials:\n  - {name: " + quoted(secret) + ", use_with: [" + quoted(host) + "]}";
        }
    }

    /// A further entry of `mcp.tools`.
    record AddTool(String server, String tool) implements Remedy {
        @Override
        public String yaml() {
            return "mcp:\n  tools:\n    - {tool: " + quoted(tool) + ", server: " + quoted(server) + "}";
        }
    }

    /// A network at all.
    record OpenNetwork(AddHost host) implements Remedy {
        @Override
        public String yaml() {
            return host.yaml().replaceFirst("net:\n", "net:\n  mode: allowlist\n");
        }
    }

    /// Some line has to go.
    record RemoveLine(String rule) implements Remedy {
        @Override
        public String yaml() {
            return "# remove " + rule;
        }
    }

    /// No policy allows it.
    ///
    /// @param instead what to do instead
    record None(String instead) implements Remedy {
        @Override
        public String yaml() {
            return "# no policy allows this: " + instead;
        }
    }

    /// A text as YAML and JSON write it.
    private static String quoted(String text) {
        if (text.matches("[A-Za-z/][A-Za-z0-9._/-]*") && !WORDS.contains(text.toLowerCase(Locale.ROOT))) {
            return text;
        }
        var out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                default -> {
                    if (c >= ' ' && c < 0x7f) {
                        out.append(c);
                    } else {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    /// Words that some loaders take for something else.
    List<String> WORDS = List.of("yes", "no", "on", "off", "true", "false", "null", "y", "n");

    private static String list(List<String> texts) {
        return texts.stream().map(Remedy::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    /// What is there to do, unless the action is allowed.
    static Optional<Remedy> none(String instead) {
        return Optional.of(new None(instead));
    }
}
