package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.PolicyDocument;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// One policy file as it was read: the document, and the text it came from.
///
/// @param file where the bytes were read, without links
/// @param name the file as the person named it, printable; the same as in the document's origins
/// @param bytes the whole file
/// @param document with the place of each key and item
/// @param lines the text, line by line, without line ends
public record LoadedPolicy(Path file, String name, ByteString bytes, PolicyDocument document, List<String> lines) {
    public LoadedPolicy {
        lines = List.copyOf(lines);
    }

    /// The same file as if it said `text`.
    ///
    /// @throws PolicySyntaxException with everything that is wrong in it
    public LoadedPolicy saying(String text) throws PolicySyntaxException {
        return of(file, name, text);
    }

    /// A policy that stands in no file.
    ///
    /// @param file where a person would put one to have another
    /// @throws PolicySyntaxException with everything that is wrong in it
    public static LoadedPolicy of(Path file, String name, String text) throws PolicySyntaxException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var read = PolicyText.parse(name, bytes);
        return new LoadedPolicy(file, name, ByteString.copyOf(bytes), read.document(), read.lines());
    }

    /// The whole file as text.
    public String text() {
        return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    }

    /// The digest of the bytes, 64 lower-case hexadecimal digits.
    public String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: absent (expected: in every JDK)", e);
        }
    }

    /// The text of a line, from 1; empty if there is no such line. Not escaped for a terminal, but free of
    /// control characters other than tab.
    public Optional<String> line(int number) {
        return number < 1 || number > lines.size() ? Optional.empty() : Optional.of(lines.get(number - 1));
    }

    /// Does the file lie in `folder` or below it? A workload that may write there could change it for the next
    /// run.
    ///
    /// @param folder absolute, without links
    public boolean liesWithin(Path folder) {
        return file.startsWith(folder);
    }
}
