package dev.cagewright.supervisor.trust;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.supervisor.state.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.stream.Stream;

/// The files by which the programs of one run trust its cage's authority; nothing for a cage without a network.
public record RunTrust(Optional<CageTrust> trust) implements AutoCloseable {
    /// Writes them into what the session shares with its cage.
    ///
    /// @throws ConfinementException if they cannot be written; a cage whose programs trust nothing is of no use
    public static RunTrust of(SharedFolder shared, Optional<CageAuthority> authority, CageSpec spec)
            throws ConfinementException {
        if (authority.isEmpty()) {
            return new RunTrust(Optional.empty());
        }
        try {
            var mounted =
                    spec.mounts().stream().flatMap(RunTrust::sameOnTheHost).toList();
            return new RunTrust(
                    Optional.of(CageTrust.prepare(shared.make(), authority.get(), TrustPlaces.ofHost(mounted))));
        } catch (IOException e) {
            var refusal = new ConfinementException(
                    "trust",
                    "copy the trust stores",
                    String.valueOf(e.getMessage()),
                    "make the certificates below /etc/ssl readable, and room in the state folder");
            refusal.initCause(e);
            throw refusal;
        }
    }

    private static Stream<Path> sameOnTheHost(Mount mount) {
        boolean isSame = mount.source() instanceof Mount.HostPath(var path)
                && path.equals(ByteString.of(mount.at().value()));
        return isSame ? Stream.of(Path.of(mount.at().value())) : Stream.empty();
    }

    /// `spec` with the trust stores mounted.
    public CageSpec over(CageSpec spec) {
        return trust.map(some -> some.over(spec)).orElse(spec);
    }

    /// `launch` with the variables set, in a cage that has a network and so the mounts.
    public Launch over(Launch launch, Cage cage) {
        return cage.netCell().isEmpty() || trust.isEmpty()
                ? launch
                : trust.get().over(launch, new ArrayList<>());
    }

    /// What cannot be removed stays in the folder, where nobody trusts it.
    @Override
    public void close() {
        try {
            if (trust.isPresent()) {
                trust.get().close();
            }
        } catch (IOException _) {
            return;
        }
    }
}
