package dev.cagewright.mcp.relay;

import dev.cagewright.mcp.pin.PinKind;
import java.util.Optional;

/// A list that servers have.
enum Kind {
    TOOLS("tools", "tools/list", "tools", "name"),
    PROMPTS("prompts", "prompts/list", "prompts", "name"),
    RESOURCES("resources", "resources/list", "resources", "uri"),
    TEMPLATES("resources", "resources/templates/list", "resourceTemplates", "uriTemplate");

    private final String capability;
    private final String method;
    private final String member;
    private final String key;

    Kind(String capability, String method, String member, String key) {
        this.capability = capability;
        this.method = method;
        this.member = member;
        this.key = key;
    }

    /// What a server says that it has.
    String capability() {
        return capability;
    }

    /// What asks for it.
    String method() {
        return method;
    }

    /// What holds it in an answer.
    String member() {
        return member;
    }

    /// As what a person accepts them; resources come and go, and only their templates are pinned.
    Optional<PinKind> pinned() {
        return switch (this) {
            case TOOLS -> Optional.of(PinKind.TOOLS);
            case PROMPTS -> Optional.of(PinKind.PROMPTS);
            case TEMPLATES -> Optional.of(PinKind.TEMPLATES);
            case RESOURCES -> Optional.empty();
        };
    }

    /// What tells one from the other.
    String key() {
        return key;
    }
}
