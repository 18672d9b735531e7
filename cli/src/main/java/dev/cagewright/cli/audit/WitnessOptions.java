package dev.cagewright.cli.audit;

import dev.cagewright.audit.note.NoteKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Trust;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// Whose cosignatures count.
final class WitnessOptions {
    @Option(
            names = "--witness-key",
            paramLabel = "FILE",
            description = "A witness' verifier key (name+id+key); may be given several times.")
    private List<Path> keys = new ArrayList<>();

    @Option(
            names = "--require-witness",
            paramLabel = "N",
            description = "Only what N of these witnesses cosigned counts, and there must be such a checkpoint.")
    private int quorum;

    LogVerifier on(LogVerifier verifier) throws IOException {
        return verifier.witnessed(read(), quorum);
    }

    Trust on(Trust trust) throws IOException {
        return trust.witnessed(read(), quorum);
    }

    private List<NoteKey> read() throws IOException {
        var read = new ArrayList<NoteKey>();
        for (var key : keys) {
            read.add(NoteKey.read(key));
        }
        return read;
    }
}
