package dev.cagewright.mcp.judge;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.supervisor.credentials.RunSecrets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What a judge has to know of a server's cage.
///
/// @param here the server's working directory, which relative paths count from
/// @param secrets values that never come out; whoever made it closes it
/// @param decoys what stands in the cage for secrets
public record JudgeGround(GuestPath here, Optional<Redaction> secrets, List<String> decoys) {
    public JudgeGround {
        decoys = List.copyOf(decoys);
    }

    /// A cage without secrets.
    public static JudgeGround of(GuestPath here) {
        return new JudgeGround(here, Optional.empty(), List.of());
    }

    /// A cage with these.
    ///
    /// @param redaction of their values
    public static JudgeGround of(GuestPath here, Redaction redaction, RunSecrets secrets) {
        Collection<String> decoys = secrets.decoys().values();
        return new JudgeGround(here, Optional.of(redaction), List.copyOf(decoys));
    }
}
