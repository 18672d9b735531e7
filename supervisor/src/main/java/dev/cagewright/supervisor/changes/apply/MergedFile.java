package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFile;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.Difference;
import dev.cagewright.supervisor.changes.Node;
import dev.cagewright.supervisor.changes.merge.Reconciliation;
import dev.cagewright.supervisor.changes.merge.ThreeWay;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;

/// Puts the host's and the workload's changes of one file together in the copy, from where it is brought over like any
/// other. Done again after a crash it comes to the same.
record MergedFile(SessionCopy copy, CopyTrees trees) {
    private static final ByteString FRESH = ByteString.of("merged-file");

    /// What the host will have.
    static Node.File after(Change change, byte[] text) {
        if (change instanceof Change.Modified(var _, var _, Node.File(int mode, var _, var _))) {
            return new Node.File(mode, text.length, sha256(text));
        }
        throw new IllegalStateException("merge: " + change.path() + " (expected: a changed file)");
    }

    /// @throws IOException if it does not come to what was planned any more, or cannot be written
    void put(Step step) throws IOException {
        var path = step.path();
        if (!(step.difference().change() instanceof Change.Modified(var _, var _, Node.File after))) {
            throw new IllegalStateException("merge: " + path + " (expected: a changed file)");
        }
        var asked = new Difference(step.difference().change(), step.difference().host(), Optional.of("merged"));
        var text = text(Reconciliation.of(copy, trees, asked).orElseThrow());
        if (text.isEmpty() || !sha256(text.get().text()).equals(after.sha256())) {
            throw new IOException("the host or the copy changed it just now");
        }
        try (var aside = HostFolder.open(ByteString.of(copy.folder().toString()));
                var folder = trees.upper()
                        .ownFolder(path.parent().bytes())
                        .orElseThrow(() -> new IOException(path + ": is gone from the copy"))) {
            if (aside.look(FRESH).isPresent()) {
                aside.remove(FRESH);
            }
            var old = folder.look(path.name()).orElseThrow(() -> new IOException(path + ": is gone from the copy"));
            try (var file = aside.create(FRESH)) {
                file.append(text.get().text());
                file.dress(after.mode(), InstantSource.system().instant());
                giveIfAllowed(file, old.identity());
                file.flush();
            }
            if (aside.replaceIn(FRESH, folder, path.name()) != HostFolder.Move.DONE) {
                throw new IOException(path + ": cannot be written in the copy");
            }
        }
    }

    private static Optional<ThreeWay> text(Reconciliation how) {
        return switch (how) {
            case Reconciliation.Fits(var text) -> Optional.of(text);
            case Reconciliation.Clashes(var text) -> Optional.of(text);
            case Reconciliation.Open _ -> Optional.empty();
        };
    }

    /// Only root may; who else makes a file owns it.
    private static void giveIfAllowed(HostFile file, HostEntry.Identity owner) {
        try {
            file.give(owner);
        } catch (IOException _) {
            return;
        }
    }

    private static String sha256(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }
}
