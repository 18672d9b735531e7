package dev.cagewright.egress.credential;

/// Hears that a decoy was used where its secret may not go: whoever did that took it from the cage. The request is
/// refused and on record whatever is done here.
@FunctionalInterface
public interface Alarm {
    /// What is done is on record, and nothing else.
    Alarm NONE = (_, _) -> {};

    /// Called once for each such request, on any thread. Does not wait.
    ///
    /// @param secret the name of the secret whose decoy it is
    /// @param decision of the request
    void raised(String secret, String decision);
}
