package dev.cagewright.supervisor.evidence;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.supervisor.receipt.ChangesStated;
import dev.cagewright.supervisor.receipt.Envelope;
import dev.cagewright.supervisor.receipt.ReceiptFile;
import dev.cagewright.supervisor.receipt.ReceiptSyntaxException;
import dev.cagewright.supervisor.receipt.Sha256;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.receipt.check.SessionLines;
import dev.cagewright.supervisor.receipt.issue.ReceiptKey;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.PolicyArchive;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Writes the evidence of one session into one file. What is not to be had is named in the bundle and left out; only
/// without a receipt there is no bundle.
public final class EvidenceExport {
    private final StateFolders folders;
    private final SessionRecord session;
    private final Contents contents;
    private final TreeMap<String, Addition> additions = new TreeMap<>();
    private final List<Sections.Absent> absent = new ArrayList<>();

    /// Whether the bytes of changed files are in the bundle.
    public enum Contents {
        LISTED,
        INCLUDED
    }

    /// Something to be added, if its bytes have this digest.
    private record Addition(BundleWriter.Content content, String sha256, String shown) {}

    public EvidenceExport(StateFolders folders, SessionRecord session, Contents contents) {
        this.folders = folders;
        this.session = session;
        this.contents = contents;
    }

    /// What was written.
    ///
    /// @param absent what the bundle lacks, each one sentence
    public record Exported(Path file, long bytes, List<String> absent) {}

    /// Writes the bundle, for its owner alone.
    ///
    /// @param bundle a file that does not exist
    /// @throws IOException if there is no receipt, or the file exists or cannot be written; then there is none
    public Exported to(Path bundle) throws IOException {
        collect();
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var file = FileChannel.open(bundle, options, mode)) {
            write(file, bundle);
            var missing =
                    absent.stream().map(one -> one.section() + ": " + one.why()).toList();
            return new Exported(bundle, file.size(), missing);
        }
    }

    private void write(FileChannel file, Path bundle) throws IOException {
        try {
            var writer = new BundleWriter(file);
            for (var addition : additions.entrySet()) {
                var what = addition.getValue();
                if (!writer.add(addition.getKey(), what.content(), what.sha256())) {
                    absent.add(new Sections.Absent("files", what.shown() + " has changed since the run"));
                }
            }
            writer.add(EntryName.SECTIONS, new Sections(session.id().value(), writer.items(), absent).bytes());
            writer.finish();
            file.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(bundle);
            throw e;
        }
    }

    private void collect() throws IOException {
        var folder = folders.session(session.id());
        var bytes = ReceiptFile.read(ReceiptFile.in(folder));
        SignedReceipt signed;
        try {
            signed = SignedReceipt.parse(bytes);
        } catch (ReceiptSyntaxException e) {
            throw new IOException("the receipt of session " + session.id() + " cannot be read: " + e.getMessage(), e);
        }
        put(EntryName.RECEIPT, bytes);
        put(EntryName.VERIFY, VerifyText.bytes());
        key(signed);
        policies(signed);
        log(signed);
        absent.add(new Sections.Absent("captures", "this version captures no traffic"));
        changes(signed.receipt().changes(), folder);
    }

    private void put(String name, byte[] bytes) {
        additions.put(name, new Addition(sink -> sink.take(bytes, bytes.length), "", name));
    }

    private void lack(String section, String why) {
        absent.add(new Sections.Absent(section, why));
    }

    private void key(SignedReceipt signed) throws IOException {
        var file = ReceiptKey.publicFile(folders);
        if (Files.exists(file)) {
            var key = PinnedKey.read(file);
            if (Envelope.keyId(key).equals(signed.envelope().keyId())) {
                put(EntryName.KEY, (key.hex() + "\n").getBytes(StandardCharsets.US_ASCII));
                return;
            }
        }
        lack("key", "the key that signed is not this machine's any more");
    }

    private void policies(SignedReceipt signed) throws IOException {
        var archive = new PolicyArchive(folders);
        for (var layer : signed.receipt().policy()) {
            var bytes = archive.find(layer.sha256());
            if (bytes.isPresent() && Sha256.of(bytes.get().toByteArray()).equals(layer.sha256())) {
                put(EntryName.policy(layer.sha256()), bytes.get().toByteArray());
            } else {
                lack("policy", layer.name() + " was not kept, or is not what it was");
            }
        }
    }

    private void log(SignedReceipt signed) throws IOException {
        var path = Path.of(session.auditLog());
        List<LogLine> lines;
        try {
            lines = SessionLines.of(path, signed.receipt());
        } catch (IOException e) {
            lack("log", String.valueOf(e.getMessage()));
            return;
        }
        var text = new ByteArrayOutputStream();
        lines.forEach(line -> {
            text.writeBytes(line.bytes());
            text.write('\n');
        });
        put(EntryName.LINES, text.toByteArray());
        try {
            LineProofs.of(path, lines).ifPresentOrElse(this::proofs, this::noProofs);
        } catch (BrokenChainException | IOException e) {
            lack("proofs", String.valueOf(e.getMessage()));
        }
    }

    private void proofs(LineProofs made) {
        put(EntryName.CHECKPOINT, made.checkpoint().bytes());
        made.proofs().forEach((seq, proof) -> put(EntryName.proof(seq), proof.bytes()));
    }

    private void noProofs() {
        lack("proofs", "no checkpoint reaches the run's lines: cagewright audit checkpoint makes one");
    }

    private void changes(ChangesStated changes, Path folder) throws IOException {
        if (!changes.isStated()) {
            lack("changes", changes.why());
            return;
        }
        var list = OwnerFile.read(ChangesStated.file(folder), ChangesStated.MAX_LIST);
        if (!Sha256.of(list).equals(changes.sha256())) {
            lack("changes", "the list in the session's folder is not the receipt's any more");
            return;
        }
        put(EntryName.CHANGES, list);
        if (contents == Contents.LISTED) {
            lack("files", "the contents of changed files were not asked for");
            return;
        }
        var files = ChangedContents.of(folder, list);
        files.leftOut().forEach(why -> lack("files", why));
        files.found()
                .forEach((sha256, file) ->
                        additions.put(EntryName.file(sha256), new Addition(file::to, sha256, file.shown())));
    }
}
