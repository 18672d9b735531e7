package dev.cagewright.egress.inspect;

/// What goes on record of a sighting.
///
/// @param inspector whose it is
/// @param kind what it is, e.g. `secrets.github_token`; for people and records, never the thing itself
/// @param at where it stands in the body, or in the message of a WebSocket; 0 in fields
public record Finding(Sighting.Severity severity, String inspector, String kind, Place place, long at) {

    /// Where it was seen.
    public enum Place {
        HEAD,
        BODY,
        TRAILERS,
        ANSWER,
        NAME;

        public String word() {
            return switch (this) {
                case HEAD -> "head";
                case BODY -> "body";
                case TRAILERS -> "trailers";
                case ANSWER -> "answer";
                case NAME -> "name";
            };
        }
    }

    public boolean blocks() {
        return severity == Sighting.Severity.BLOCK;
    }

    /// A credential where one belongs is not worth an event of its own.
    public boolean isRoutine() {
        return !blocks() && kind.startsWith("auth.");
    }

    /// The key of a policy that asks for it.
    public String key() {
        int dot = kind.indexOf('.');
        var first = dot < 0 ? kind : kind.substring(0, dot);
        return "inspect." + (Inspection.KEYS.contains(first) ? first : "custom");
    }
}
