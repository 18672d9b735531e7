package dev.cagewright.supervisor.trust;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.TreeRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// One cage's trust in its own authority: files in a folder of the session's, mounted read-only over the host's trust
/// stores,
/// and variables. The host's roots stay trusted beside it, for hosts whose TLS is not opened. Close it when the cage is
/// gone; the files go then.
///
/// A variable of these names that the policy lets the caller set is replaced, and that is told: pointing a program at
/// other roots would only break it, since the gateway answers with the cage's authority. A place where the policy
/// itself
/// mounts something is left as the policy has it.
public final class CageTrust implements AutoCloseable {
    /// Where the cage finds `ca.pem`, the authority alone, and `roots.pem`, the host's roots with it.
    public static final GuestPath PLACE = new GuestPath("/run/cagewright/trust");

    private static final String FOLDER = "trust";
    private static final String AUTHORITY = "ca.pem";
    private static final String ROOTS = "roots.pem";
    private static final String JAVA = "cacerts";

    private final Path folder;
    private final Map<Path, Path> mounted;
    private final List<String> notices;

    private CageTrust(Path folder, Map<Path, Path> mounted, List<String> notices) {
        this.folder = folder;
        this.mounted = mounted;
        this.notices = List.copyOf(notices);
    }

    /// Writes the files.
    ///
    /// @param session a folder of the session's, which only the person may enter; it gets a folder `trust`
    /// @throws IOException if they cannot be written, or the host's stores cannot be read; nothing is left then
    public static CageTrust prepare(Path session, CageAuthority authority, TrustPlaces places) throws IOException {
        var folder = session.resolve(FOLDER);
        remove(folder);
        try {
            return new Preparation(folder, authority, places).done();
        } catch (IOException | RuntimeException e) {
            remove(folder);
            throw e;
        }
    }

    private record Preparation(Path folder, CageAuthority authority, TrustPlaces places) {
        CageTrust done() throws IOException {
            var bundle = places.bundles().stream().findFirst();
            var host = bundle.isPresent() ? RootCertificates.of(bundle.get()) : RootCertificates.NONE;
            var roots = host.with(authority.certificate());
            var javaStore = JavaTrustStore.of(roots.certificates());
            Modes.folder(folder);
            Modes.folder(folder.resolve("files"));
            Modes.file(folder.resolve("files").resolve(AUTHORITY), RootCertificates.pem(authority.certificate()));
            Modes.file(folder.resolve("files").resolve(ROOTS), roots.text().toByteArray());
            Modes.file(folder.resolve("files").resolve(JAVA), javaStore);
            var mounted = new LinkedHashMap<Path, Path>();
            var copy = copy(roots, javaStore);
            copy.ifPresent(_ -> mounted.put(places.folder().orElseThrow(), folder.resolve("certs")));
            cover(mounted, copy);
            return new CageTrust(folder, mounted, host.certificates().isEmpty() ? List.of(NO_ROOTS) : List.of());
        }

        private static final String NO_ROOTS =
                "trust: this machine has no file of root certificates; in the cage only hosts whose TLS is opened are trusted";

        private Optional<CertificatesFolder> copy(RootCertificates roots, byte[] javaStore) throws IOException {
            if (places.folder().isEmpty()) {
                return Optional.empty();
            }
            var copy = CertificatesFolder.copied(places.folder().get(), folder.resolve("certs"));
            copy.replace(places.bundles(), roots.text().toByteArray());
            copy.replace(places.javaStores(), javaStore);
            copy.add(RootCertificates.pem(authority.certificate()), authority.subjectHash());
            return Optional.of(copy);
        }

        private void cover(Map<Path, Path> mounted, Optional<CertificatesFolder> copy) {
            var files = folder.resolve("files");
            places.bundles().stream()
                    .filter(place -> copy.isEmpty() || !copy.get().holds(place))
                    .forEach(place -> mounted.put(place, files.resolve(ROOTS)));
            places.javaStores().stream()
                    .filter(place -> copy.isEmpty() || !copy.get().holds(place))
                    .forEach(place -> mounted.put(place, files.resolve(JAVA)));
        }
    }

    /// What to tell about the trust itself.
    public List<String> notices() {
        return notices;
    }

    /// The variables that every program of the cage gets.
    public SortedMap<String, String> environment() {
        return TrustVariables.of(
                PLACE.child(ROOTS).value(), PLACE.child(AUTHORITY).value());
    }

    /// `spec` with the trust stores mounted.
    public CageSpec over(CageSpec spec) {
        var all = new ArrayList<>(spec.mounts());
        var taken = new HashSet<GuestPath>();
        spec.mounts().forEach(mount -> taken.add(mount.at()));
        all.add(readOnly(PLACE, folder.resolve("files")));
        mounted.forEach((place, file) -> {
            var at = new GuestPath(place.toString());
            if (taken.add(at)) {
                all.add(readOnly(at, file));
            }
        });
        return spec.withMounts(all);
    }

    private static Mount readOnly(GuestPath at, Path file) {
        return new Mount(at, new Mount.HostPath(ByteString.of(file.toString())), Access.READ_ONLY);
    }

    /// `launch` with the variables set.
    ///
    /// @param told hears, a sentence each, of variables of the caller that were replaced
    public Launch over(Launch launch, List<String> told) {
        var replaced = new ArrayList<String>();
        var block = TrustVariables.over(launch.environment(), environment(), replaced);
        replaced.forEach(name ->
                told.add("environment: " + name + " is set by the cage, to certificates that include the cage's own"));
        return launch.withEnvironment(block);
    }

    @Override
    public void close() throws IOException {
        remove(folder);
    }

    private static void remove(Path folder) throws IOException {
        if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var held = HostFolder.open(ByteString.of(folder.toString()))) {
            TreeRemoval.clear(held);
        }
        Files.delete(folder);
    }
}
