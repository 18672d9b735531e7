package dev.cagewright.supervisor.signing;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.supervisor.hatch.GuestSocket;
import dev.cagewright.supervisor.hatch.Reception;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.state.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The socket at which one cage has commits and tags signed, from before the cage is built until it is gone; nothing
/// where its policy has no credential that signs. On the host it lies in a folder that only the person may enter, and
/// only the cage's own user is answered. For one thread.
public final class SigningSocket implements AutoCloseable {
    /// Where the cage finds the socket's folder.
    public static final GuestPath PLACE = new GuestPath("/run/cagewright/signing");

    /// Names an ssh agent's socket, ssh-agent(1).
    public static final ByteString VARIABLE = ByteString.of("SSH_AUTH_SOCK");

    private final Optional<Standing> standing;
    private @Nullable Reception reception;

    private SigningSocket(Optional<Standing> standing) {
        this.standing = standing;
    }

    private record Standing(SigningClerk clerk, SigningKey key, GuestSocket socket) {}

    /// What signatures go through.
    ///
    /// @param shared where the socket stands
    public record Ground(SharedFolder shared, Gate gate, AuditJournal journal) {}

    /// Makes the socket; nobody is answered yet.
    ///
    /// @param credentials the policy's
    /// @param agent the socket of the person's ssh agent, as their environment names it
    /// @throws ConfinementException if there is no agent, no key that could be meant, or the socket cannot be made;
    ///     nothing is left then
    public static SigningSocket of(Ground ground, List<Credential> credentials, Optional<ByteString> agent)
            throws ConfinementException {
        var signing = credentials.stream()
                .filter(credential -> credential.sign().isPresent())
                .findFirst();
        if (signing.isEmpty()) {
            return new SigningSocket(Optional.empty());
        }
        try {
            var host = new HostAgent(place(agent));
            var key = KeyChoice.of(host.keys(), signing.get().sign().get().key());
            key.line();
            var office = new SigningClerk.Office(signing.get(), host, ground.gate(), ground.journal());
            var clerk = new SigningClerk(office, key, new SigningPace(System::nanoTime));
            return new SigningSocket(
                    Optional.of(new Standing(clerk, key, GuestSocket.make(ground.shared(), "signing", PLACE))));
        } catch (IOException | IllegalArgumentException e) {
            throw refusal("have commits signed", e);
        }
    }

    private static Path place(Optional<ByteString> agent) throws IOException {
        var named = agent.flatMap(ByteString::utf8).filter(path -> path.startsWith("/"));
        return Path.of(named.orElseThrow(() -> new IOException("SSH_AUTH_SOCK names no ssh agent")));
    }

    private static ConfinementException refusal(String what, Exception why) {
        var refusal = new ConfinementException(
                "signing",
                what,
                String.valueOf(why.getMessage()),
                "start ssh-agent, add the key with ssh-add, and name it if there are several: --sign=SHA256:..., or"
                        + " leave signing out");
        refusal.initCause(why);
        return refusal;
    }

    /// `spec` with the socket's folder mounted, read-only.
    public CageSpec over(CageSpec spec) {
        return standing.map(one -> one.socket().over(spec)).orElse(spec);
    }

    /// `launch` with the variables that let git sign.
    public Launch over(Launch launch) {
        if (standing.isEmpty()) {
            return launch;
        }
        var block = new ArrayList<>(launch.environment());
        block.removeIf(entry -> entry.latin1().startsWith(VARIABLE + "="));
        block.add(ByteString.of(VARIABLE + "=" + standing.get().socket().guest()));
        var key = standing.get().key().line();
        return launch.withEnvironment(GitSettings.signing(key).over(block));
    }

    /// Begins to answer the cage's own user.
    ///
    /// @throws ConfinementException if it cannot be told who that is
    public void open(Cage cage) throws ConfinementException {
        if (standing.isEmpty()) {
            return;
        }
        try {
            var one = standing.get();
            reception = Reception.open(
                    one.socket().listening(),
                    SigningTalk.BOUNDS,
                    GuestSocket.onlyUserOf(cage),
                    new SigningTalk(one.clerk()));
        } catch (IOException e) {
            throw refusal("find out who the cage is", e);
        }
    }

    @Override
    public void close() {
        if (reception != null) {
            reception.close();
        }
        standing.ifPresent(one -> one.socket().close());
    }
}
