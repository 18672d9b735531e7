package dev.cagewright.audit.event;

/// Where an event comes from. An empty text means none.
///
/// @param session the session's id
/// @param cage the cage's name
/// @param id the decision's id, which an intent and its outcome share
public record Origin(String session, String cage, String id) {
    /// The longest of each, in chars.
    public static final int MAX_LENGTH = 1024;

    /// What the log says about itself.
    public static final Origin LOG = new Origin("", "", "");

    public Origin {
        bounded("session", session);
        bounded("cage", cage);
        bounded("id", id);
    }

    public static Origin of(String session, String cage) {
        return new Origin(session, cage, "");
    }

    /// The same place, for one decision.
    public Origin decision(String newId) {
        return new Origin(session, cage, newId);
    }

    static void bounded(String name, String value) {
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    name + ": " + value.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
    }
}
