package dev.cagewright.sandbox.namespaces;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.ControlSocket;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.MemoryFile;
import dev.cagewright.sandbox.namespaces.tree.MaskPlan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Covers again what the host has uncovered in one cage. A mask lies on an object: where the host renames another one
/// into its place, as git does with its files, the kernel takes the mask away. Safe for all threads; the caller sees to
/// it that nothing of the cage runs meanwhile.
final class MaskKeeper implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;

    private final SpawnServer server;
    private final ControlLoop loop;
    private final MaskedNames names;
    private final byte[] request;
    private final boolean byRoot;
    private final Map<ByteString, Set<ByteString>> masked;
    private @Nullable Runnable listener;
    private boolean heard;

    private MaskKeeper(SpawnServer server, ControlLoop loop, MaskedNames names, CageRequest request, CageSpec spec) {
        this.server = server;
        this.loop = loop;
        this.names = names;
        this.request = request.payload().toByteArray();
        this.byRoot = request.user().byRoot();
        this.masked = masked(spec);
    }

    /// What a runtime has for all its cages.
    record Common(SpawnServer server, ControlLoop loop, MaskedNames names) {}

    /// For a cage that is not built yet, so that nothing is missed.
    ///
    /// @param request what it will be built from
    static MaskKeeper of(CageSpec spec, CageRequest request, Common common) throws ConfinementException {
        var keeper = new MaskKeeper(common.server, common.loop, common.names, request, spec);
        try {
            keeper.follow();
            return keeper;
        } catch (KernelException e) {
            keeper.close();
            throw Refusals.of(
                    "masks", e, "raise fs.inotify.max_user_watches or fs.inotify.max_user_instances (sysctl)");
        }
    }

    /// In a session's copy nothing that the host does changes what lies under a mask.
    private static Map<ByteString, Set<ByteString>> masked(CageSpec spec) {
        var workspace = spec.workspace().path();
        var names = new HashMap<ByteString, Set<ByteString>>();
        if (spec.diversions().stream().noneMatch(one -> one.at().equals(workspace))) {
            for (var entry : MaskPlan.of(spec.workspace(), spec.masks())) {
                var path = entry.target().latin1();
                int slash = path.lastIndexOf('/');
                names.computeIfAbsent(bytes(path.substring(0, Math.max(1, slash))), _ -> new HashSet<>())
                        .add(bytes(path.substring(slash + 1)));
            }
        }
        return names;
    }

    private static ByteString bytes(String latin1) {
        return ByteString.copyOf(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void follow() throws KernelException {
        names.follow(this, masked);
    }

    /// Has `changed` told that something was done to a masked name, at once if that has happened already.
    synchronized void listen(Runnable changed) {
        listener = changed;
        if (heard) {
            changed.run();
        }
    }

    synchronized void hear() {
        heard = true;
        if (listener != null) {
            listener.run();
        }
    }

    @Override
    public void close() {
        names.forget(this);
    }

    /// Covers what is open, and waits until it is.
    ///
    /// @return the places that were open, as many as one message has room for
    /// @throws KernelException if one is open still, or that is not known
    List<ByteString> coverAgain(CoverDoors doors) throws KernelException {
        follow(); // first, so that whatever comes later is heard of
        var answer = new CompletableFuture<Optional<Wire.Answer>>();
        var ends = ControlSocket.pair();
        var ours = new Descriptor(ends.ours());
        loop.watch(ours, () -> answer.complete(received(ours)));
        try (var theirs = new Descriptor(ends.theirs());
                var payload = new Descriptor(MemoryFile.of("cagewright-cover", request))) {
            server.cover(
                    byRoot,
                    List.of(
                            payload.number(),
                            doors.user().number(),
                            doors.tree().number(),
                            theirs.number()));
        } catch (KernelException | IllegalStateException e) {
            loop.retire(ours);
            throw e;
        }
        try {
            return places(await(answer));
        } finally {
            loop.retire(ours);
        }
    }

    private static Optional<Wire.Answer> received(Descriptor ours) {
        try {
            return Wire.receive(ours.number());
        } catch (KernelException _) {
            return Optional.empty();
        }
    }

    private static Wire.Answer await(CompletableFuture<Optional<Wire.Answer>> answer) throws KernelException {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .orElseThrow(() -> new KernelException("recvmsg(cover)", Errno.EPIPE));
        } catch (TimeoutException e) {
            throw unanswered(Errno.ETIMEDOUT, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unanswered(Errno.EINTR, e);
        }
    }

    private static KernelException unanswered(int errno, Exception cause) {
        var unanswered = new KernelException("recvmsg(cover)", errno);
        unanswered.initCause(cause);
        return unanswered;
    }

    private static List<ByteString> places(Wire.Answer answer) throws KernelException {
        if (answer.kind() != Wire.DONE) {
            throw new KernelException(answer.text().replace('\0', ' '), Math.toIntExact(answer.value()));
        }
        return Arrays.stream(answer.text().split("\0", -1))
                .filter(place -> !place.isEmpty())
                .map(place -> ByteString.copyOf(place.getBytes(StandardCharsets.ISO_8859_1)))
                .toList();
    }
}
