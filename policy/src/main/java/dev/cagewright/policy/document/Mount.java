package dev.cagewright.policy.document;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.quantity.Field;
import java.util.Locale;

/// One place of the cage's file system.
///
/// @param path where it stands in the cage
public record Mount(GuestPath path, Access mode, Source source) {

    /// What the workload may do there; the order is the order of power.
    public enum Access {
        RO,
        RW;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Access parse(String field, String text) {
            return switch (text) {
                case "ro" -> RO;
                case "rw" -> RW;
                default -> throw Field.refusal(field, text, "ro or rw");
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Where the files come from.
    public sealed interface Source {
        /// A file or directory of the host, seen in place.
        ///
        /// @param path absolute and canonical by text; blanks and commas are part of the name
        record HostPath(String path) implements Source {
            @Override
            public String toString() {
                return path;
            }
        }

        /// The caller's workspace, copied for this session.
        record SessionCopy() implements Source {
            @Override
            public String toString() {
                return "session-copy";
            }
        }

        /// Fresh, empty memory.
        record Tmpfs() implements Source {
            @Override
            public String toString() {
                return "tmpfs";
            }
        }

        /// Nothing is expanded: `~`, `$HOME` and relative paths are refused.
        ///
        /// @throws IllegalArgumentException naming `field` and what is accepted
        static Source parse(String field, String text) {
            return switch (text) {
                case "session-copy" -> new SessionCopy();
                case "tmpfs" -> new Tmpfs();
                default -> new HostPath(absolute(field, text, "session-copy, tmpfs, or an absolute host path"));
            };
        }
    }

    /// The path of a mount, or of anything else inside the cage, from a policy file: canonical, and `..` may
    /// not lead above the root.
    ///
    /// @throws IllegalArgumentException naming `field` and what is accepted
    public static GuestPath target(String field, String text) {
        return new GuestPath(absolute(field, text, "an absolute path inside the cage"));
    }

    private static String absolute(String field, String text, String expected) {
        if (!text.startsWith("/") || !text.equals(text.strip()) || Field.hasControl(text)) {
            throw Field.refusal(
                    field, text, expected + ", without '~', variables, control characters or blanks at its ends");
        }
        int depth = 0;
        for (String name : text.split("/", -1)) {
            depth += switch (name) {
                case "", "." -> 0;
                case ".." -> -1;
                default -> 1;
            };
            if (depth < 0) {
                throw Field.refusal(field, text, expected + "; '..' leads above the root");
            }
        }
        return GuestPath.canonical(text).value();
    }
}
