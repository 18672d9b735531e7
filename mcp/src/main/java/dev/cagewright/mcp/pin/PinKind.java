package dev.cagewright.mcp.pin;

import java.util.Arrays;
import java.util.Optional;

/// What of a server is pinned.
public enum PinKind {
    TOOLS("tools", "tool", "name"),
    PROMPTS("prompts", "prompt", "name"),
    TEMPLATES("templates", "resource template", "uriTemplate"),
    /// What it says about itself: one thing, under [#SELF].
    SERVER("server", "server", "self");

    /// The name of what a server says about itself.
    public static final String SELF = "instructions";

    private final String word;
    private final String singular;
    private final String key;

    PinKind(String word, String singular, String key) {
        this.word = word;
        this.singular = singular;
        this.key = key;
    }

    /// As the file has it.
    String word() {
        return word;
    }

    /// One of them, for people.
    public String singular() {
        return singular;
    }

    /// The member of a definition that names it.
    String key() {
        return key;
    }

    static Optional<PinKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }
}
