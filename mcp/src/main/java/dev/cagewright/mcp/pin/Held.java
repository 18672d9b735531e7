package dev.cagewright.mcp.pin;

/// A definition that a client does not see until a person accepts it.
///
/// @param name as the server says it
public record Held(PinKind kind, String name, Reason reason) {
    /// Why.
    public enum Reason {
        /// It was not there when the server was accepted.
        NEW("is new"),
        /// It is not what was accepted.
        CHANGED("is not what was accepted"),
        /// The server is another program than the one that was accepted.
        OTHER_PROGRAM("is new, of a program that was not started under this name before"),
        /// Somebody wants to be asked even the first time.
        FIRST("waits for a person, who wants to be asked the first time, too"),
        /// There is another of the same name in the list.
        TWICE("stands in the list more than once"),
        /// It is beyond what can be kept.
        TOO_LARGE("is too large, or one too many, to be pinned");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        /// A clause that goes on behind the name.
        public String words() {
            return words;
        }
    }
}
