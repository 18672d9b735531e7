package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.receipt.ReceiptFile;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RunWatcher;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.SessionRecording;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A person's folders below one directory, in which programs really run, in real cages, under a real log.
public final class RecordedRun {
    public static final String WORKSPACE_RW = "tool: sample\nfs: {mounts: [{path: /workspace, mode: rw}]}\n";

    private final Path root;
    private final StateFolders folders;
    private final Map<ByteString, ByteString> caller = new HashMap<>();
    private String text = WORKSPACE_RW;
    private RuntimeSource runtime = NamespacesRuntime::start;
    private BeforeReceipt before = _ -> {};

    /// Something that happens when the program has ended.
    @FunctionalInterface
    public interface BeforeReceipt {
        void in(Path sessionFolder) throws Exception;
    }

    public RecordedRun(Path root) {
        this.root = root;
        this.folders = new StateFolders(root.resolve("config"), root.resolve("state"));
        caller.put(ByteString.of("HOME"), ByteString.of(root.toString()));
    }

    public RecordedRun under(String policy) {
        text = policy;
        return this;
    }

    public RecordedRun by(RuntimeSource source) {
        runtime = source;
        return this;
    }

    public RecordedRun with(String name, String value) {
        caller.put(ByteString.of(name), ByteString.of(value));
        return this;
    }

    public RecordedRun then(BeforeReceipt act) {
        before = act;
        return this;
    }

    public StateFolders folders() {
        return folders;
    }

    public Path log() {
        return root.resolve("state/audit.jsonl");
    }

    public Path policyFile() {
        return root.resolve("policy.yaml");
    }

    public Path folder(String id) {
        return root.resolve("state/sessions").resolve(id);
    }

    public SessionRecord record(String id) throws Exception {
        return new SessionStore(folders).find(new SessionId(id)).orElseThrow();
    }

    public byte[] receiptBytes(String id) throws Exception {
        return ReceiptFile.read(ReceiptFile.in(folder(id)));
    }

    public SignedReceipt receipt(String id) throws Exception {
        return SignedReceipt.parse(receiptBytes(id));
    }

    /// Runs a program as session `id`.
    public Receipts.Issue run(String id, String... argv) throws Exception {
        var workspace = Files.createDirectories(root.resolve("workspace")).toRealPath();
        Files.writeString(policyFile(), text);
        var files = new PolicyFiles(root.resolve("none"), root.resolve("none"), root.resolve("none"));
        var policy =
                PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(policyFile()))), IsolationWish.CAGE);
        var session = new SessionId(id);
        var place =
                new Session.Place(folders.session(session), new OwnFiles(folders, folders.auditLog(), policy.files()));
        var request = new RunRequest(
                Arrays.stream(argv).map(ByteString::of).toList(),
                ByteString.of(workspace.toString()),
                caller,
                Streams.Pipes.discarding());
        try (var open = Session.open(session, policy.terms(), place, policy::reasons)) {
            var recording = SessionRecording.begin(new SessionStore(folders), open, policy, open.programOf(request));
            var issue = run(open, Receipts.of(open, policy, folders, KeyAhead.begin(folders)), request);
            recording.end("over", 0);
            return issue;
        }
    }

    private Receipts.Issue run(Session session, Receipts receipts, RunRequest request) throws Exception {
        var witness = new RunWitness(InstantSource.system());
        var program = session.programOf(request);
        try {
            var warrant = session.gate().pass(program);
            witness.allowed(warrant);
            var outcome = session.run(warrant, request, runtime, witness.before(new Nobody()));
            witness.ended(outcome);
            before.in(session.place().folder());
            return receipts.issue(witness, program, RunEnd.of(outcome, 7));
        } catch (DeniedException denied) {
            witness.denied();
            return receipts.issue(witness, program, RunEnd.denied(String.valueOf(denied.getMessage()), 5));
        }
    }

    /// Watches and does nothing.
    private static final class Nobody implements RunWatcher {
        @Override
        public void starting(Warrant warrant, List<String> notices) {}

        @Override
        public Watch started(Run run) {
            return () -> {};
        }
    }
}
