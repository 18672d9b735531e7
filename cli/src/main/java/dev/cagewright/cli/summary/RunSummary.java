package dev.cagewright.cli.summary;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.receipt.CageStated;
import dev.cagewright.supervisor.receipt.ReceiptFile;
import dev.cagewright.supervisor.receipt.ReceiptSyntaxException;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The summary of a run that has just ended. By then it is over, told and on record: what cannot be read is said and
/// changes nothing.
public final class RunSummary {
    private final Console console;
    private final StateFolders folders;
    private final SessionId session;

    public RunSummary(Console console, StateFolders folders, SessionId session) {
        this.console = console;
        this.folders = folders;
        this.session = session;
    }

    /// Says it on standard error, below the line that says how the run ended.
    public void tell() {
        facts().ifPresent(facts -> SummaryText.of(facts, console.errPalette()).forEach(console::asItIs));
    }

    /// For a program.
    public Optional<JsonObject> json() {
        return facts().map(SummaryJson::of);
    }

    private Optional<RunFacts> facts() {
        try {
            var record = new SessionStore(folders).find(session);
            if (record.isEmpty()) {
                return Optional.empty();
            }
            var folder = folders.session(session);
            noteFiles(record.get(), folder);
            return Optional.of(FactsReader.read(record.get(), folder, Expected.of(folders, record.get())));
        } catch (IOException | ReceiptSyntaxException e) {
            console.say(Visible.text("what it came to could not be read: " + e.getMessage()));
            return Optional.empty();
        }
    }

    /// Now, since later nobody can tell whose changes they are.
    private static void noteFiles(SessionRecord record, Path folder) throws IOException, ReceiptSyntaxException {
        var file = ReceiptFile.in(folder);
        if (!Files.isRegularFile(file)) {
            return;
        }
        var receipt = SignedReceipt.parse(ReceiptFile.read(file)).receipt();
        if (!receipt.changes().isStated()) {
            var workspace = host(record.workspace(), receipt.cage().places());
            if (workspace.isPresent()) {
                TouchedFiles.below(workspace.get(), record.start()).write(folder);
            }
        }
    }

    /// Where the workspace is on the host, if the run could write there itself.
    private static Optional<ByteString> host(String workspace, List<CageStated.Place> places) {
        return places.stream()
                .filter(place -> place.at().equals(workspace)
                        && place.source().equals("host " + workspace)
                        && place.access().equals("rw"))
                .findFirst()
                .map(_ -> ByteString.of(workspace));
    }
}
