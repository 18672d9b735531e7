package dev.cagewright.mcp.door;

/// Where it goes when something here goes wrong that no client could help. Safe for all threads.
@FunctionalInterface
public interface Faults {
    /// The log of the process, which is its error stream.
    Faults LOGGED = (name, failure) -> System.getLogger("dev.cagewright.mcp")
            .log(System.Logger.Level.WARNING, "a request could not be answered: " + name, failure);

    /// Keeps `failure` under `name`, which the client is told.
    void keep(String name, Throwable failure);
}
