package dev.cagewright.supervisor.trust;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Where this host keeps the certificates that its programs trust, as a cage sees them: without links.
///
/// @param folder the folder of certificates that OpenSSL searches by hash
/// @param bundles files of PEM certificates, the one that programs use first
/// @param javaStores `cacerts` files of JDKs
public record TrustPlaces(Optional<Path> folder, Set<Path> bundles, Set<Path> javaStores) {
    private static final List<String> FOLDERS = List.of("etc/ssl/certs", "etc/pki/tls/certs");

    /// Debian, Fedora, SUSE, Arch, Alpine, Gentoo, and what libraries were built with.
    private static final List<String> BUNDLES = List.of(
            "etc/ssl/certs/ca-certificates.crt",
            "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
            "etc/pki/tls/certs/ca-bundle.crt",
            "etc/pki/tls/cacert.pem",
            "etc/pki/tls/cert.pem",
            "etc/ssl/ca-bundle.pem",
            "etc/ssl/cert.pem",
            "etc/ca-certificates/extracted/tls-ca-bundle.pem",
            "etc/certs/ca-certificates.crt",
            "usr/lib/ssl/cert.pem",
            "usr/local/ssl/cert.pem",
            "usr/local/etc/ssl/cert.pem",
            "usr/share/pki/trust/ca-bundle.pem",
            "usr/local/share/certs/ca-root-nss.crt");

    private static final List<String> JAVA_STORES = List.of(
            "etc/ssl/certs/java/cacerts",
            "etc/pki/java/cacerts",
            "etc/pki/ca-trust/extracted/java/cacerts",
            "etc/ca-certificates/extracted/java-cacerts.jks",
            "etc/default/cacerts");

    private static final List<String> JDKS = List.of("usr/lib/jvm", "usr/lib64/jvm", "usr/java", "usr/local", "opt");
    private static final List<String> IN_A_JDK = List.of("lib/security/cacerts", "jre/lib/security/cacerts");
    private static final int MOST_JDKS = 256;

    public TrustPlaces {
        bundles = new LinkedHashSet<>(bundles);
        javaStores = new LinkedHashSet<>(javaStores);
    }

    /// Looks for them on this host.
    ///
    /// @param mounted further folders that the cage sees at the same paths, in which a JDK may stand
    public static TrustPlaces ofHost(List<Path> mounted) {
        return new Search(Path.of("/")).places(mounted);
    }

    static TrustPlaces below(Path root) {
        return new Search(root).places(List.of());
    }

    /// @param root what the paths are below
    private record Search(Path root) {
        /// What every cage sees of its host, besides what a policy mounts.
        private static final List<Path> SEEN = Stream.of("etc", "usr", "opt", "nix/store", "gnu/store")
                .map(Path::of)
                .toList();

        TrustPlaces places(List<Path> mounted) {
            return new TrustPlaces(
                    FOLDERS.stream()
                            .flatMap(this::real)
                            .filter(Files::isDirectory)
                            .findFirst(),
                    files(BUNDLES.stream()),
                    files(Stream.concat(
                            JAVA_STORES.stream(), jdks(mounted).stream().flatMap(Search::stores))));
        }

        private static Stream<String> stores(Path jdk) {
            return IN_A_JDK.stream().map(store -> jdk.resolve(store).toString());
        }

        private Set<Path> files(Stream<String> paths) {
            var found = new LinkedHashSet<Path>();
            paths.flatMap(this::real).filter(Files::isRegularFile).forEach(found::add);
            return found;
        }

        private Stream<Path> real(String path) {
            try {
                var real = root.resolve(path).toRealPath();
                boolean isMounted = Path.of(path).isAbsolute();
                var below = root.toRealPath().relativize(real);
                return isMounted || SEEN.stream().anyMatch(below::startsWith) ? Stream.of(real) : Stream.empty();
            } catch (IOException _) {
                return Stream.empty();
            }
        }

        private List<Path> jdks(List<Path> mounted) {
            var found = new ArrayList<Path>();
            for (var folder : JDKS) {
                children(root.resolve(folder)).map(root::relativize).forEach(found::add);
            }
            mounted.stream()
                    .flatMap(tree -> Stream.concat(Stream.of(tree), children(tree)))
                    .forEach(found::add);
            return found;
        }

        private static Stream<Path> children(Path folder) {
            var found = new ArrayList<Path>();
            try (var entries = Files.newDirectoryStream(folder)) {
                for (Path entry : entries) {
                    if (found.size() == MOST_JDKS) {
                        break;
                    }
                    found.add(entry);
                }
            } catch (IOException | DirectoryIteratorException _) {
                return found.stream();
            }
            return found.stream();
        }
    }
}
