package dev.cagewright.cli.demo.attack;

/// What stops an attempt, and where that can be seen afterwards.
sealed interface Evidence {
    /// A decision of the log.
    ///
    /// @param word `allow` or `deny`
    /// @param marker stands in the host or path of what was decided
    record Decided(String word, String marker) implements Evidence {}

    /// A request that was let through, looked at, and stopped.
    ///
    /// @param why the kind of what was found in it
    record Stopped(String why) implements Evidence {}

    /// A note of the log about a connection that came to nothing.
    ///
    /// @param target whereto
    record Noted(String target) implements Evidence {}

    /// A finding that the run is told about at its end.
    ///
    /// @param path stands in the finding
    record Told(String path) implements Evidence {}

    /// A limit that the receipt names among those that held.
    record Limit(String name) implements Evidence {}

    /// How the run ended.
    ///
    /// @param cause its word in the log
    record Ended(String cause) implements Evidence {}

    /// Output that was cut, as the outcome says.
    record Cut() implements Evidence {}

    /// A look at the host afterwards.
    ///
    /// @param check its id
    record Host(String check) implements Evidence {}

    /// Something that leaves no event.
    ///
    /// @param why what stops it, one clause
    record Silent(String why) implements Evidence {}

    /// Reads the last column of the list.
    ///
    /// @throws IllegalArgumentException if it is no evidence
    static Evidence parse(String text) {
        int blank = text.indexOf(' ');
        var word = blank < 0 ? text : text.substring(0, blank);
        var rest = blank < 0 ? "" : text.substring(blank + 1);
        return switch (word) {
            case "denied" -> new Decided("deny", rest);
            case "allowed" -> new Decided("allow", rest);
            case "stopped" -> new Stopped(rest);
            case "noted" -> new Noted(rest);
            case "told" -> new Told(rest);
            case "limit" -> new Limit(rest);
            case "ended" -> new Ended(rest);
            case "cut" -> new Cut();
            case "host" -> new Host(rest);
            case "absent" -> new Silent("not in the cage");
            case "hidden" -> new Silent("hidden in the cage");
            case "protected" -> new Silent("read-only in the cage");
            case "kernel" -> new Silent("refused by the kernel");
            case "void" -> new Silent("stays in the cage");
            case "escaped" -> new Silent("escaped where Cagewright prints it");
            default -> throw new IllegalArgumentException("evidence: " + text);
        };
    }
}
