package dev.cagewright.supervisor.evidence;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.receipt.ChangedFile;
import dev.cagewright.supervisor.receipt.ReceiptSyntaxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The contents of changed files, out of a session's copies. What a cage wrote is opened name by name and never
/// through a link; files whose names say that they hold secrets are left out.
///
/// @param found by digest
/// @param leftOut what is not among them, each one sentence
record ChangedContents(SortedMap<String, Content> found, List<String> leftOut) {
    private static final int TOLD = 20;

    /// One file of a copy.
    ///
    /// @param copy the copy's own tree
    record Content(Path copy, RelativePath path) {
        String shown() {
            return path.bytes().printable();
        }

        /// @throws IOException if it cannot be read; a file that is gone gives no bytes
        void to(BundleWriter.Sink sink) throws IOException {
            try (var top = HostFolder.open(ByteString.of(copy.toString()))) {
                var folder = top.ownFolder(path.parent().bytes());
                if (folder.isEmpty()) {
                    return;
                }
                try (var open = folder.get()) {
                    if (open.look(path.name()).filter(entry -> entry.isFile()).isPresent()) {
                        try (var file = open.readOwn(path.name())) {
                            file.drainTo(sink::take);
                        }
                    }
                }
            }
        }
    }

    /// @param folder the session's
    /// @param list of its changes
    static ChangedContents of(Path folder, byte[] list) throws IOException {
        List<ChangedFile> changes;
        try {
            changes = ChangeList.parse(list);
        } catch (ReceiptSyntaxException e) {
            throw new IOException("the list of changes cannot be read: " + e.getMessage(), e);
        }
        var copies = SessionCopy.all(folder);
        var found = new TreeMap<String, Content>();
        var secret = new ArrayList<String>();
        for (ChangedFile file : changes) {
            if (!file.kind().equals(ChangedFile.FILE) || file.sha256().isEmpty()) {
                continue;
            }
            var path = new RelativePath(file.pathBytes());
            if (SecretFiles.looksSecret(path)) {
                secret.add(path.bytes().printable());
                continue;
            }
            copies.stream()
                    .filter(copy -> copy.at().value().equals(file.in()))
                    .findFirst()
                    .ifPresent(copy -> found.putIfAbsent(file.sha256(), new Content(copy.upper(), path)));
        }
        return new ChangedContents(found, told(secret));
    }

    private static List<String> told(List<String> secret) {
        var sentences = new ArrayList<String>();
        secret.stream()
                .limit(TOLD)
                .forEach(path -> sentences.add(path + " is left out: its name says that it holds a secret"));
        if (secret.size() > TOLD) {
            sentences.add((secret.size() - TOLD) + " more are left out for their names");
        }
        return sentences;
    }
}
