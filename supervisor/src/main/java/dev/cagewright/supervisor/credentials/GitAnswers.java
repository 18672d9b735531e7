package dev.cagewright.supervisor.credentials;

import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.layers.EffectivePolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/// A credential helper for git in the cage, which knows the decoys of `prepare: [git]`: a function of the shell in
/// git's
/// own variables, so that no file of the home is taken (git-config(1), `GIT_CONFIG_COUNT`; gitcredentials(7)). It
/// answers
/// for https and those hosts alone, whatever the port, and keeps nothing.
public final class GitAnswers {
    private GitAnswers() {}

    /// The variables; empty if nothing is prepared for git.
    public static Map<String, String> variables(RunSecrets secrets, EffectivePolicy policy) {
        var answers = new StringBuilder();
        for (Credential credential : secrets.credentials()) {
            if (credential.prepare().contains(Credential.Prepared.GIT)) {
                for (String host : PreparedFiles.hosts(policy, credential.name())) {
                    answers.append(answer(host, secrets.decoy(credential.name())));
                }
            }
        }
        return answers.isEmpty() ? Map.of() : variables(answers.toString());
    }

    /// A host's name has nothing in it that the shell reads, and a decoy has no quotes.
    private static String answer(String host, String decoy) {
        return "https," + host + "|https," + host + ":*) printf 'username=%s\\npassword=%s\\n' '" + PreparedFiles.USER
                + "' '" + decoy + "';; ";
    }

    private static Map<String, String> variables(String answers) {
        var all = new LinkedHashMap<String, String>();
        all.put("GIT_CONFIG_COUNT", "1");
        all.put("GIT_CONFIG_KEY_0", "credential.helper");
        all.put(
                "GIT_CONFIG_VALUE_0",
                "!answer() { test \"$1\" = get || return 0; while IFS== read -r name value; do case $name in "
                        + "protocol) protocol=$value;; host) host=$value;; esac; done; "
                        + "case $protocol,$host in " + answers + "esac; }; answer");
        return all;
    }
}
