package dev.cagewright.supervisor.evidence;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.note.NoteSyntaxException;
import dev.cagewright.audit.proof.InclusionProof;
import dev.cagewright.supervisor.receipt.ChangedFile;
import dev.cagewright.supervisor.receipt.ChangesStated;
import dev.cagewright.supervisor.receipt.Envelope;
import dev.cagewright.supervisor.receipt.Receipt;
import dev.cagewright.supervisor.receipt.ReceiptSyntaxException;
import dev.cagewright.supervisor.receipt.Sha256;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.receipt.check.LogAgreement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Holds a bundle to itself and to keys from elsewhere: everything in it is bound by the receipt, and the receipt by
/// its signature. Needs no network, no state folder and no log. For one bundle and one thread.
public final class EvidenceCheck {
    private static final int MAX_LINES = 256 << 20;
    private static final int MAX_SMALL = 1 << 20;

    private final BundleArchive archive;
    private final Keys keys;
    private final List<String> complaints = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();

    private EvidenceCheck(BundleArchive archive, Keys keys) {
        this.archive = archive;
        this.keys = keys;
    }

    /// What the one who checks knows from elsewhere.
    ///
    /// @param receipt whose signature the receipt must have
    /// @param log whose signature the log's checkpoint must have
    public record Keys(Optional<PinnedKey> receipt, Optional<PinnedKey> log) {}

    /// What came out.
    ///
    /// @param complaints what is wrong, each one sentence; empty when everything agrees
    /// @param findings what was looked at, and what is not there
    /// @param trust whether the receipt's key came from elsewhere
    public record Answer(String session, List<String> complaints, List<String> findings, Trust trust) {}

    /// What the signature is worth.
    public enum Trust {
        /// The receipt is signed with a key that whoever checks brought along.
        PINNED,
        /// It is signed with the key that lies beside it: whoever made the bundle vouches for it, nobody else.
        OWN_WORD
    }

    /// Checks a bundle.
    ///
    /// @throws BundleException if it is none, or has no receipt that can be read
    /// @throws IOException if it cannot be read; that says nothing about what it holds
    public static Answer check(BundleArchive archive, Keys keys) throws IOException, BundleException {
        return new EvidenceCheck(archive, keys).answer();
    }

    private Answer answer() throws IOException, BundleException {
        for (String name : archive.names()) {
            if (!EntryName.isKnown(name)) {
                throw new BundleException("it has an entry that no bundle has: " + name);
            }
        }
        var signed = signed();
        var receipt = signed.receipt();
        var trust = signature(signed.envelope());
        text();
        policies(receipt);
        var lines = lines();
        log(signed, lines);
        proofs(receipt, lines);
        changes(receipt.changes());
        sections(receipt.run().session());
        return new Answer(receipt.run().session(), List.copyOf(complaints), List.copyOf(findings), trust);
    }

    private byte[] required(String name, int most) throws IOException, BundleException {
        return archive.bytes(name, most).orElseThrow(() -> new BundleException(name + " is missing"));
    }

    private SignedReceipt signed() throws IOException, BundleException {
        try {
            return SignedReceipt.parse(required(EntryName.RECEIPT, Envelope.MAX_BYTES));
        } catch (ReceiptSyntaxException e) {
            throw new BundleException(EntryName.RECEIPT + ": " + e.getMessage(), e);
        }
    }

    private Trust signature(Envelope envelope) throws IOException, BundleException {
        var own = ownKey();
        if (keys.receipt().isPresent()) {
            var pinned = keys.receipt().get();
            if (!envelope.isSignedBy(pinned)) {
                complaints.add("the receipt's signature is not one of key " + pinned.hex());
            } else {
                findings.add("receipt: signed by " + pinned.hex());
            }
            return Trust.PINNED;
        }
        if (own.isEmpty()) {
            complaints.add("no key was named and none is in the bundle, so the signature cannot be checked");
        } else if (!envelope.isSignedBy(own.get())) {
            complaints.add("the receipt's signature is not one of the bundle's own key");
        } else {
            findings.add("receipt: signed by " + own.get().hex() + ", the bundle's own key");
        }
        return Trust.OWN_WORD;
    }

    private Optional<PinnedKey> ownKey() throws IOException, BundleException {
        var file = archive.bytes(EntryName.KEY, MAX_SMALL);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        var text = new String(file.get(), StandardCharsets.ISO_8859_1);
        if (!text.endsWith("\n") || !Sha256.is(text.substring(0, text.length() - 1))) {
            throw new BundleException(EntryName.KEY + " is no key of 64 lower-case digits and a line end");
        }
        try {
            return Optional.of(PinnedKey.ofBytes(HexFormat.of().parseHex(text.substring(0, text.length() - 1))));
        } catch (IllegalArgumentException e) {
            throw new BundleException(EntryName.KEY + " is no Ed25519 public key", e);
        }
    }

    private void text() throws IOException, BundleException {
        if (!Arrays.equals(required(EntryName.VERIFY, MAX_SMALL), VerifyText.bytes())) {
            complaints.add(EntryName.VERIFY + " is another text than this version's: do not follow it");
        }
    }

    private void policies(Receipt receipt) throws IOException, BundleException {
        var stated = receipt.policy().stream().map(layer -> layer.sha256()).collect(Collectors.toSet());
        for (String sha256 : stated) {
            var name = EntryName.policy(sha256);
            if (archive.size(name).isEmpty()) {
                complaints.add("policy: " + name + " is missing");
            } else if (!archive.sha256(name).equals(sha256)) {
                complaints.add("policy: " + name + " has another digest");
            } else {
                findings.add("policy: " + name + " is the one that held");
            }
        }
        for (String name : archive.names()) {
            if (name.startsWith("policy/")
                    && stated.stream().noneMatch(one -> EntryName.policy(one).equals(name))) {
                complaints.add("policy: the receipt does not know " + name);
            }
        }
    }

    private List<LogLine> lines() throws IOException, BundleException {
        var text = archive.bytes(EntryName.LINES, MAX_LINES);
        if (text.isEmpty()) {
            complaints.add("log: " + EntryName.LINES + " is missing");
            return List.of();
        }
        var lines = new ArrayList<LogLine>();
        for (byte[] line : ChangeList.lines(text.get())) {
            try {
                var read = LineFormat.parse(line);
                if (!lines.isEmpty() && lines.getLast().seq() >= read.seq()) {
                    complaints.add("log: line " + read.seq() + " stands behind line "
                            + lines.getLast().seq());
                }
                lines.add(read);
            } catch (LineSyntaxException e) {
                throw new BundleException(EntryName.LINES + ": line " + (lines.size() + 1) + ": " + e.getMessage(), e);
            }
        }
        return lines;
    }

    private void log(SignedReceipt signed, List<LogLine> lines) {
        var found = LogAgreement.complaints(signed.receipt(), lines);
        found.forEach(one -> complaints.add("log: " + one));
        if (found.isEmpty()) {
            findings.add("log: the lines are the receipt's");
        }
        findings.add(
                LogAgreement.names(lines, signed.sha256())
                        ? "log: names this receipt"
                        : "log: does not name this receipt");
    }

    private void proofs(Receipt receipt, List<LogLine> lines) throws IOException, BundleException {
        var note = archive.bytes(EntryName.CHECKPOINT, MAX_SMALL);
        if (note.isEmpty()) {
            if (archive.names().stream().anyMatch(name -> name.endsWith(".proof"))) {
                complaints.add("proofs: " + EntryName.CHECKPOINT + " is missing");
            }
            return;
        }
        var checkpoint = checkpoint(note.get());
        if (!checkpoint.log().equals(receipt.log().id())) {
            complaints.add("proofs: the checkpoint is about another log");
        }
        signer(checkpoint);
        int proven = 0;
        for (LogLine line : lines) {
            proven += isProven(checkpoint, line) ? 1 : 0;
        }
        long strays =
                archive.names().stream().filter(name -> name.endsWith(".proof")).count() - proven;
        if (strays != 0) {
            complaints.add("proofs: " + strays + " prove no line of the bundle");
        }
        findings.add("proofs: " + proven + " of " + lines.size() + " lines are in the log of the checkpoint");
    }

    private static Checkpoint checkpoint(byte[] note) throws BundleException {
        try {
            return Checkpoint.parse(note);
        } catch (NoteSyntaxException e) {
            throw new BundleException(EntryName.CHECKPOINT + " " + e.getMessage(), e);
        }
    }

    private void signer(Checkpoint checkpoint) {
        if (keys.log().isPresent()) {
            if (checkpoint.signedBy(keys.log().get())) {
                findings.add("checkpoint: signed by " + keys.log().get().hex());
            } else {
                complaints.add("the checkpoint is not signed with the log's key that was named");
            }
        } else if (keys.receipt().isPresent()
                && checkpoint.signedBy(keys.receipt().get())) {
            findings.add("checkpoint: signed by the receipt's key");
        } else {
            findings.add("checkpoint: signature not checked; name the log's key");
        }
    }

    private boolean isProven(Checkpoint checkpoint, LogLine line) throws IOException, BundleException {
        var name = EntryName.proof(line.seq());
        var bytes = archive.bytes(name, MAX_SMALL);
        if (bytes.isEmpty()) {
            return false;
        }
        try {
            var proof = InclusionProof.parse(bytes.get());
            boolean holds = proof.seq() == line.seq()
                    && proof.line().isEmpty()
                    && Arrays.equals(proof.checkpoint().bytes(), checkpoint.bytes())
                    && proof.includes(line.bytes());
            if (!holds) {
                complaints.add("proofs: " + name + " does not prove its line");
            }
            return true;
        } catch (NoteSyntaxException e) {
            throw new BundleException(name + " " + e.getMessage(), e);
        }
    }

    private void changes(ChangesStated stated) throws IOException, BundleException {
        var list = archive.bytes(EntryName.CHANGES, ChangesStated.MAX_LIST);
        if (list.isEmpty()) {
            if (stated.isStated()) {
                complaints.add("changes: " + EntryName.CHANGES + " is missing");
            }
            contents(List.of());
            return;
        }
        if (!Sha256.of(list.get()).equals(stated.sha256())) {
            complaints.add("changes: " + EntryName.CHANGES + " is not the list of the receipt");
        }
        try {
            var files = ChangeList.parse(list.get());
            if (files.size() != stated.count()) {
                complaints.add("changes: the list has " + files.size() + ", the receipt says " + stated.count());
            }
            findings.add("changes: " + files.size() + " are listed");
            contents(files);
        } catch (ReceiptSyntaxException e) {
            throw new BundleException(EntryName.CHANGES + ": " + e.getMessage(), e);
        }
    }

    private void contents(List<ChangedFile> files) throws IOException, BundleException {
        var known = files.stream().map(ChangedFile::sha256).collect(Collectors.toSet());
        int whole = 0;
        for (String name : archive.names()) {
            if (!name.startsWith(EntryName.FILES)) {
                continue;
            }
            var sha256 = name.substring(EntryName.FILES.length());
            if (!known.contains(sha256)) {
                complaints.add("files: the list of changes does not know " + name);
            } else if (!archive.sha256(name).equals(sha256)) {
                complaints.add("files: " + name + " has another digest");
            } else {
                whole++;
            }
        }
        if (whole > 0) {
            findings.add("files: the contents of " + whole + " are what the list says");
        }
    }

    private void sections(String session) throws IOException, BundleException {
        var items = new ArrayList<Sections.Item>();
        for (String name : archive.names()) {
            if (!name.equals(EntryName.SECTIONS)) {
                items.add(new Sections.Item(name, archive.size(name).orElseThrow(), archive.sha256(name)));
            }
        }
        var sections = Sections.parse(required(EntryName.SECTIONS, Envelope.MAX_BYTES), session, items);
        sections.absent().forEach(one -> findings.add("absent, " + one.section() + ": " + one.why()));
    }
}
