package dev.cagewright.supervisor.login;

import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Sourced;
import dev.cagewright.sandbox.environment.CageEnvironment;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Scope;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/// Whose log-ins those of a cage are: those of its home, where a folder of the host is mounted there, else those of the
/// cage of that name.
final class LoginHome {
    private static final int DIGITS = 12;

    private LoginHome() {}

    static Scope of(StateFolders folders, EffectivePolicy policy) {
        var home = policy.files().mounts().stream()
                .map(Sourced::value)
                .filter(mount -> mount.path().value().equals(CageEnvironment.HOME))
                .flatMap(mount -> mount.source() instanceof Mount.Source.HostPath(String path)
                        ? Optional.of(Path.of(path)).stream()
                        : Optional.<Path>empty().stream())
                .findFirst();
        return Scope.ofHome(home.map(path -> name(folders, path))
                .orElseGet(() -> "of-" + policy.tool().map(CageName::value).orElse("cage")));
    }

    private static String name(StateFolders folders, Path home) {
        var last = String.valueOf(home.getFileName());
        boolean isOwn = folders.homes().equals(home.getParent()) && last.matches(Scope.HOME);
        return isOwn ? last : shortened(last) + "-" + digest(home);
    }

    private static String shortened(String last) {
        var plain = last.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^[^A-Za-z0-9]+", "");
        return plain.isEmpty() ? "home" : plain.substring(0, Math.min(40, plain.length()));
    }

    private static String digest(Path home) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256").digest(home.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: absent (expected: in every JDK)", e);
        }
    }
}
