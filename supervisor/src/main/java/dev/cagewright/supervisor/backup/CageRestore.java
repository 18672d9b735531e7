package dev.cagewright.supervisor.backup;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.supervisor.named.Litter;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.vault.CarriedSecrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Makes a named cage of an archive: all of it or nothing. Writes only into a new home, by descriptors, and never
/// follows a link; runs nothing. Whoever opens it closes it. For one thread.
public final class CageRestore implements AutoCloseable {
    private static final ByteString FRESH = ByteString.of(".restore-new");

    private final NamedCages cages;
    private final Archive archive;

    private CageRestore(NamedCages cages, Archive archive) {
        this.cages = cages;
        this.archive = archive;
    }

    /// Opens an archive.
    ///
    /// @throws BackupException if it is no backup, of another version, or would leave the home
    public static CageRestore open(NamedCages cages, Path file) throws IOException {
        return new CageRestore(cages, Archive.open(file));
    }

    /// The name that the cage had.
    public String cage() {
        return archive.manifest().cage();
    }

    /// Are there sealed secrets in it?
    public boolean hasSecrets() {
        return archive.manifest().files().containsKey(Manifest.SECRETS);
    }

    /// The sealed secrets with their values, each the caller's to close.
    ///
    /// @throws IOException also if the passphrase is another
    public List<SecretStore.Opened> secrets(byte[] passphrase) throws IOException {
        var salt = archive.manifest().salt().orElseThrow(() -> new BackupException("has secrets without a salt"));
        var file = Files.createTempFile("cagewright-restore-", ".secrets"); // 0600
        try {
            Files.write(file, archive.file(Manifest.SECRETS, Bounds.SECRETS));
            try (var carried =
                    CarriedSecrets.at(file, passphrase, HexFormat.of().parseHex(salt))) {
                return carried.store().openAll();
            } catch (IllegalArgumentException e) {
                throw new BackupException("has secrets with a salt that is none: " + e.getMessage());
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /// Makes the cage.
    ///
    /// @param name a new one
    /// @param workspace another than it had
    /// @return what it says
    /// @throws PolicySyntaxException if one of its files says nothing that holds
    /// @throws IOException if something is there already or cannot be written; nothing is left
    public NamedCage as(String name, Optional<Path> workspace) throws IOException, PolicySyntaxException {
        var home = cages.home(name).folder();
        if (cages.has(name)) {
            throw new FileAlreadyExistsException(cages.folder(name).toString());
        }
        if (Files.exists(home, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("a home of an earlier cage " + name + " is there, " + home
                    + " (expected: none; cagewright prune --homes removes it, --as takes another name)");
        }
        var texts = new NamedCages.Texts(text(Manifest.FORM), text(Manifest.POLICY));
        var cage = cages.draft(archive.manifest().cage(), name, texts);
        var wished = workspace.map(cage::in).orElse(cage);
        cages.folders().makeHome(home.resolveSibling(FRESH.latin1()));
        try (var homes = HostFolder.open(ByteString.of(cages.folders().homes().toString()))) {
            try {
                fill(homes);
                requireMoved(homes.moveTo(FRESH, homes, ByteString.of(String.valueOf(home.getFileName()))));
                cages.create(wished, texts);
            } catch (IOException | RuntimeException | PolicySyntaxException e) {
                Litter.at("", home.resolveSibling(FRESH.latin1())).remove();
                Litter.at("", home).remove(); // it was not there before
                throw e;
            }
        }
        return wished;
    }

    private static void requireMoved(HostFolder.Move move) throws IOException {
        if (move != HostFolder.Move.DONE) {
            throw new IOException("the home could not take its name (" + move + ")");
        }
    }

    private String text(String name) throws IOException {
        return new String(archive.file(name, Bounds.TEXT), StandardCharsets.UTF_8);
    }

    private void fill(HostFolder homes) throws IOException {
        long bytes = archive.manifest().bytes();
        long room = Files.getFileStore(cages.folders().homes()).getUsableSpace();
        if (bytes > room) {
            throw new IOException(
                    "the home takes " + bytes + " bytes, and there are " + room + " (expected: more room)");
        }
        try (var home = homes.folder(FRESH).orElseThrow(() -> new IOException("the home is gone"))) {
            if (!home.names(1).isEmpty()) {
                throw new IOException("another restore is at it, or was interrupted: "
                        + cages.folders().homes() + "/" + FRESH + " (expected: none; remove it)");
            }
            var folders = new ArrayList<Kept.Folder>();
            for (Kept one : archive.manifest().home()) {
                put(home, one);
                if (one instanceof Kept.Folder folder) {
                    folders.add(folder);
                }
            }
            for (Kept.Folder folder : folders.reversed()) {
                try (var above = above(home, folder.path())) {
                    above.permit(folder.path().name(), folder.mode());
                }
            }
        }
    }

    private static HostFolder above(HostFolder home, RelativePath path) throws IOException {
        return home.ownFolder(path.parent().bytes())
                .orElseThrow(() -> new IOException("the folder of " + path + " is gone"));
    }

    private void put(HostFolder home, Kept one) throws IOException {
        var name = one.path().name();
        try (var above = above(home, one.path())) {
            switch (one) {
                case Kept.Folder _ -> above.makeFolder(name);
                case Kept.Link link -> above.makeLink(name, link.text());
                case Kept.File file -> {
                    try (var made = above.create(name)) {
                        archive.drain(file.data(), made::append);
                        made.dress(file.mode(), file.modified());
                    }
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        archive.close();
    }
}
