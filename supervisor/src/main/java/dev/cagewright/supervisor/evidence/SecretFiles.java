package dev.cagewright.supervisor.evidence;

import dev.cagewright.sandbox.environment.SecretNames;
import dev.cagewright.sandbox.files.RelativePath;
import java.util.Locale;
import java.util.Set;

/// Does a file's name say that it holds a secret? A guess by design: it errs towards leaving a file out of a bundle,
/// which is told.
final class SecretFiles {
    private static final Set<String> NAMES = Set.of(
            ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd", ".dockercfg", "kubeconfig");

    private static final Set<String> ENDINGS =
            Set.of(".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg");

    private static final Set<String> FOLDERS = Set.of(".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker");

    private SecretFiles() {}

    static boolean looksSecret(RelativePath path) {
        var names = path.names();
        for (int i = 0; i < names.size(); i++) {
            var name = names.get(i).toLowerCase(Locale.ROOT);
            boolean isLast = i == names.size() - 1;
            if (FOLDERS.contains(name) || SecretNames.looksSecret(name) || (isLast && isSecretFile(name))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSecretFile(String name) {
        return NAMES.contains(name)
                || name.equals(".env")
                || name.startsWith(".env.")
                || name.endsWith(".env")
                || name.startsWith("id_")
                || ENDINGS.stream().anyMatch(name::endsWith);
    }
}
