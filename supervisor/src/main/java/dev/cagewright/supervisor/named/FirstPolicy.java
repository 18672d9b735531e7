package dev.cagewright.supervisor.named;

import dev.cagewright.supervisor.scaffold.Scaffolds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/// The policy that a named cage starts with: its scaffold's, or one that lets it have its workspace and nothing else,
/// with what a newcomer may want to add as comments.
public final class FirstPolicy {
    private static final String BARE = "bare.yaml";
    private static final String MORE = "more.yaml";
    private static final String NAME = "@NAME@";
    private static final Pattern TOOL = Pattern.compile("^(?:tool|name)[ \\t]*:.*$", Pattern.MULTILINE);
    private static final Pattern COMMENTS_ABOVE = Pattern.compile("\\A(?:#[^\\n]*\\n)+");

    private FirstPolicy() {}

    /// Its text, which ends in a line feed.
    ///
    /// @param cage a name
    /// @param scaffold the name of one
    /// @throws IOException if the scaffold cannot be read, or its policy has no line for the name
    public static String text(String cage, Optional<String> scaffold, Scaffolds scaffolds) throws IOException {
        var more = resource(MORE);
        if (scaffold.isEmpty()) {
            return (resource(BARE) + more).replace(NAME, cage);
        }
        var theirs = policy(scaffold.get(), scaffolds);
        var head = "# The policy of the cage " + cage + ", begun as that of the scaffold " + scaffold.get()
                + ".\n# What is not said here is denied, and told in: cagewright net last\n";
        var body = renamed(theirs, cage);
        return head
                + COMMENTS_ABOVE.matcher(body).replaceFirst("")
                + (body.endsWith("\n") ? "" : "\n")
                + more.replace(NAME, cage);
    }

    /// A policy's text with another name in it.
    ///
    /// @throws IOException if it has no line for the name
    static String renamed(String policy, String name) throws IOException {
        var tool = TOOL.matcher(policy);
        if (!tool.find()) {
            throw new IOException("the policy has no line tool: (expected: one, at the beginning of a line)");
        }
        return policy.substring(0, tool.start()) + "tool: " + quoted(name) + policy.substring(tool.end());
    }

    /// Names such as `on`, `null` and `12` are not what they look like.
    private static String quoted(String name) {
        return '"' + name + '"';
    }

    private static String policy(String scaffold, Scaffolds scaffolds) throws IOException {
        return scaffolds.files(scaffold).stream()
                .filter(file -> file.name().equals("policy.yaml"))
                .map(Scaffolds.NamedText::text)
                .findFirst()
                .orElseThrow(() -> new IOException("scaffold " + scaffold + ": it has no policy"));
    }

    private static String resource(String name) {
        try (InputStream in =
                Objects.requireNonNull(FirstPolicy.class.getResourceAsStream(name), name + " (expected: in the jar)")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name + " (expected: readable in the jar)", e);
        }
    }
}
