package dev.cagewright.egress.inspect.credential;

import java.util.List;

/// How one kind of credential is written.
///
/// @param kind words for records, e.g. `github_token`
/// @param prefixes what it may begin with, letter for letter; the prefix alone is no secret
/// @param parts what follows; only the last may be open
/// @param start where it may begin
/// @param check what its last characters have to say about the others
record Format(String kind, List<String> prefixes, List<Part> parts, Start start, Check check) {
    enum Start {
        ANYWHERE,
        /// Not behind a letter, a digit or `_`.
        WORD
    }

    enum Check {
        NONE,
        /// The last six characters are the CRC-32 of those before, without the prefix, in base 62.
        CRC_BASE62
    }

    Format {
        prefixes = List.copyOf(prefixes);
        parts = List.copyOf(parts);
    }

    /// @param prefixes separated by blanks
    static Format of(String kind, String prefixes, String parts) {
        return ofAny(kind, List.of(prefixes.split(" ", -1)), parts);
    }

    static Format ofAny(String kind, List<String> prefixes, String parts) {
        return new Format(kind, prefixes, Part.listOf(parts), Start.ANYWHERE, Check.NONE);
    }

    /// The same where it stands at the beginning of a word only.
    Format word() {
        return new Format(kind, prefixes, parts, Start.WORD, check);
    }

    Format checked() {
        return new Format(kind, prefixes, parts, start, Check.CRC_BASE62);
    }
}
