package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.audit.json.Json;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.supervisor.copy.Mechanism;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.receipt.Argv;
import dev.cagewright.supervisor.receipt.CageStated;
import dev.cagewright.supervisor.receipt.Decisions;
import dev.cagewright.supervisor.receipt.Envelope;
import dev.cagewright.supervisor.receipt.LogRange;
import dev.cagewright.supervisor.receipt.PolicyLayer;
import dev.cagewright.supervisor.receipt.Product;
import dev.cagewright.supervisor.receipt.Receipt;
import dev.cagewright.supervisor.receipt.ReceiptFile;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.RunStated;
import dev.cagewright.supervisor.receipt.Sha256;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.PolicyArchive;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/// Issues the receipt of a session's run or named cage: signs it, writes it into the session's folder, and names its
/// digest in the
/// audit log. The outcome is durable before, so a crash between the two leaves a run without a receipt and never a
/// receipt without its run. What fails is an answer and never an exception: the run has happened.
public final class Receipts {
    private final Session session;
    private final PolicyInForce policy;
    private final StateFolders folders;
    private final KeyAhead key;
    private final FutureTask<Prepared> prepared;

    /// What does not depend on the run.
    private record Prepared(ReceiptKey key, Product product, String log) {}

    private Receipts(Session session, PolicyInForce policy, StateFolders folders, KeyAhead key) {
        this.session = session;
        this.policy = policy;
        this.folders = folders;
        this.key = key;
        this.prepared = new FutureTask<>(this::prepare);
    }

    /// Begins with what does not depend on the run, beside it.
    public static Receipts of(Session session, PolicyInForce policy, StateFolders folders, KeyAhead key) {
        var receipts = new Receipts(session, policy, folders, key);
        Thread.ofPlatform().daemon().name("receipt").start(receipts.prepared);
        return receipts;
    }

    /// What came of it.
    public sealed interface Issue {
        /// The receipt is written.
        ///
        /// @param unnamed why the audit log does not name it; empty when it does
        record Issued(Path file, String sha256, ReceiptKey key, String unnamed) implements Issue {}

        /// There is none.
        ///
        /// @param why one sentence without a full stop
        record Missing(String why) implements Issue {}
    }

    private Prepared prepare() throws IOException, InterruptedException {
        var archive = new PolicyArchive(folders);
        for (var layer : policy.layers().inOrder()) {
            archive.keep(layer.sha256(), layer.bytes());
        }
        return new Prepared(key.key(), Product.own(), LogId.of(session.place().auditLog()));
    }

    /// Issues the receipt of `program`'s run.
    ///
    /// @param witness saw it
    public Issue issue(RunWitness witness, Action.ProcExec program, RunEnd end) {
        return issue(
                witness,
                () -> new RunStated(
                        session.id().value(),
                        session.terms().name(),
                        Argv.of(program.argv()),
                        program.workingDirectory().value(),
                        witness.environment(),
                        witness.phases(),
                        witness.setup(),
                        Optional.empty()),
                end);
    }

    /// Issues the receipt of a named cage that is down, or did not come up.
    ///
    /// @param witness saw it
    /// @param command of its own program; empty where it has none
    /// @param directory the working directory in it
    public Issue issue(CageWitness witness, List<ByteString> command, GuestPath directory, RunEnd end) {
        var whole = witness.whole();
        return issue(
                whole,
                () -> new RunStated(
                        session.id().value(),
                        session.terms().name(),
                        Argv.of(command),
                        directory.value(),
                        witness.environment(),
                        whole.phases(),
                        whole.setup(),
                        Optional.of(witness.programs())),
                end);
    }

    private Issue issue(RunWitness witness, Supplier<RunStated> run, RunEnd end) {
        witness.reached("recorded");
        try {
            var ready = prepared.get();
            var signed = SignedReceipt.sign(
                    receipt(ready, witness, run.get(), end),
                    ready.key().secret(),
                    ready.key().open());
            return written(signed, ready.key());
        } catch (ExecutionException e) {
            return missing(String.valueOf(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage()));
        } catch (IOException | IllegalArgumentException e) {
            return missing(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return missing("interrupted");
        }
    }

    private Receipt receipt(Prepared ready, RunWitness witness, RunStated run, RunEnd end) throws IOException {
        var trace = session.trace();
        var cage = new CageStated(
                session.terms().isolation().word(), relaxations(witness), witness.held(), witness.places());
        return new Receipt(
                run,
                ready.product(),
                PolicyLayer.of(policy.layers()),
                cage,
                Decisions.of(trace),
                SessionChanges.of(session.place().folder()),
                end,
                LogRange.of(ready.log(), trace));
    }

    /// What was given up, and session copies that are no overlay.
    private List<String> relaxations(RunWitness witness) throws IOException {
        var all = new ArrayList<>(witness.relaxations());
        for (SessionCopy copy : SessionCopy.all(session.place().folder())) {
            if (copy.mechanism() != Mechanism.OVERLAY) {
                all.add("session-copy of " + ByteString.of(copy.at().value()).printable() + " by "
                        + copy.mechanism().word());
            }
        }
        return all;
    }

    private Issue written(SignedReceipt signed, ReceiptKey key) throws IOException {
        var bytes = signed.bytes();
        if (bytes.length > Envelope.MAX_BYTES) {
            throw new IOException("a receipt of " + bytes.length + " bytes is too large");
        }
        var file = ReceiptFile.in(session.place().folder());
        OwnerFile.write(file, bytes);
        var digest = Sha256.of(bytes);
        try {
            session.note(
                    Receipt.NOTE,
                    Json.object()
                            .put("sha256", digest)
                            .put("key", key.open().hex())
                            .build());
            return new Issue.Issued(file, digest, key, "");
        } catch (IOException e) {
            return new Issue.Issued(file, digest, key, String.valueOf(e.getMessage()));
        }
    }

    private Issue missing(String why) {
        try {
            session.note(Receipt.NOTE, Json.object().put("missing", why).build());
            return new Issue.Missing(why);
        } catch (IOException e) {
            return new Issue.Missing(why + "; and the audit log could not be told: " + e.getMessage());
        }
    }
}
