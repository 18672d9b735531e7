package dev.cagewright.cli.scaffold;

import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.supervisor.receipt.issue.ReceiptKey;
import dev.cagewright.supervisor.scaffold.ScaffoldArchive;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.scaffold.Scaffolds.NamedText;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// A scaffold that somebody hands to somebody else, before anything of it is kept.
///
/// @param name what it is called there
/// @param from who signed it, for people
record SharedScaffold(String name, List<NamedText> files, String from) {
    private static final String HEX = "[0-9a-f]{64}";

    /// The key that signs: of `file`, or the one that this person's receipts are signed with.
    static SigningKey signer(StateFolders folders, Optional<Path> file) throws IOException {
        return file.isPresent()
                ? SigningKey.read(file.get())
                : ReceiptKey.of(folders).secret();
    }

    /// Reads a folder, for which whoever names it vouches, or an archive that was signed by a key that they know.
    ///
    /// @param trusted a public key's file, or its 64 hexadecimal digits; the person's own key is trusted anyway
    /// @throws IOException if it was changed, or signed by anybody else
    static SharedScaffold read(Path place, StateFolders folders, Optional<String> trusted) throws IOException {
        if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            var folder = place.toAbsolutePath().normalize();
            return new SharedScaffold(
                    String.valueOf(folder.getFileName()), Scaffolds.filesIn(folder), "a folder, which nobody signed");
        }
        var archive = ScaffoldArchive.read(OwnerFile.read(place, ScaffoldArchive.MAX_BYTES));
        if (!isTrusted(archive.signer(), folders, trusted)) {
            throw new IOException(
                    "scaffold archive: signed by " + archive.signer().hex()
                            + ", whom nobody said to trust, so nothing of it is kept (expected: --trust with that key,"
                            + " once you know from elsewhere whose it is)");
        }
        return new SharedScaffold(
                archive.name(), archive.files(), "signed by " + archive.signer().hex());
    }

    private static boolean isTrusted(PinnedKey signer, StateFolders folders, Optional<String> trusted)
            throws IOException {
        if (trusted.isPresent() && isSame(signer, key(trusted.get()))) {
            return true;
        }
        var own = ReceiptKey.publicFile(folders);
        return Files.exists(own) && isSame(signer, PinnedKey.read(own));
    }

    private static boolean isSame(PinnedKey one, PinnedKey other) {
        return Arrays.equals(one.bytes(), other.bytes());
    }

    private static PinnedKey key(String text) throws IOException {
        return text.matches(HEX) ? PinnedKey.ofBytes(HexFormat.of().parseHex(text)) : PinnedKey.read(Path.of(text));
    }
}
