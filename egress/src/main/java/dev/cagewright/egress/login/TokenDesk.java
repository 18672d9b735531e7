package dev.cagewright.egress.login;

import dev.cagewright.policy.action.HostName;
import java.util.Optional;

/// Which answers have tokens in them, and who keeps these. Safe for all threads.
@FunctionalInterface
public interface TokenDesk {
    /// Of a session in which nobody logs in.
    TokenDesk NONE = (_, _) -> Optional.empty();

    /// Who takes the tokens of the answer to a request; empty where nobody logs in.
    ///
    /// @param path in its one spelling, without a query
    Optional<TokenSource> at(HostName host, String path);
}
