package dev.cagewright.supervisor.credentials;

import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.match.HostPattern;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the files say, by their names below the home. A decoy has neither blanks nor quotes in it.
final class PreparedFiles {
    /// Any name goes with a token, and this one is what GitHub's pages use.
    static final String USER = "x-access-token";

    private PreparedFiles() {}

    static SortedMap<String, String> of(RunSecrets secrets, EffectivePolicy policy) {
        var files = new TreeMap<String, String>();
        for (Credential credential : secrets.credentials()) {
            var decoy = secrets.decoy(credential.name());
            for (String host : hosts(policy, credential.name())) {
                credential.prepare().forEach(file -> add(files, file, host, decoy));
            }
        }
        return files;
    }

    /// A pattern is no host that a file could name.
    static List<String> hosts(EffectivePolicy policy, String name) {
        return policy.secretHosts(name).stream()
                .filter(pattern -> pattern.kind() == HostPattern.Kind.EXACT)
                .map(HostPattern::toString)
                .toList();
    }

    private static void add(SortedMap<String, String> files, Credential.Prepared file, String host, String decoy) {
        switch (file) {
            case NETRC ->
                files.merge(
                        ".netrc", "machine " + host + "\nlogin " + USER + "\npassword " + decoy + "\n", String::concat);
            case GIT -> {} // variables: GitAnswers
            case NPMRC -> files.merge(".npmrc", "//" + host + "/:_authToken=" + decoy + "\n", String::concat);
            case PIP ->
                files.putIfAbsent(
                        ".config/pip/pip.conf",
                        "[global]\nindex-url = https://__token__:" + decoy + "@" + host + "/simple/\n");
        }
    }
}
