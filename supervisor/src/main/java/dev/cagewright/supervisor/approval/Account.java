package dev.cagewright.supervisor.approval;

/// The account that this process runs as.
final class Account {
    private Account() {}

    /// Its name, or `?` where it has none.
    static String name() {
        return System.getProperty("user.name", "?");
    }
}
