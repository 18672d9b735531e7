package dev.cagewright.supervisor.vault;

import java.util.Arrays;
import java.util.stream.Collectors;

/// What protects the key of the stores, strongest first.
public enum Protection {
    /// Sealed by systemd-creds(1) with the machine's key or its TPM.
    SYSTEMD_CREDS("systemd-creds", "sealed by systemd-creds with this machine's key"),
    /// Held by the desktop's keyring, asked for with secret-tool(1).
    KEYRING("keyring", "held by the desktop's keyring"),
    /// Sealed under a key that Argon2id makes of a passphrase.
    PASSPHRASE("passphrase", "sealed under a passphrase"),
    /// In a file of mode 0600: whoever reads the person's files reads it.
    FILE("file", "in a 0600 file: whoever can read your files can read the secrets");

    private final String word;
    private final String sentence;

    Protection(String word, String sentence) {
        this.word = word;
        this.sentence = sentence;
    }

    /// Reads one of the words.
    ///
    /// @throws IllegalArgumentException naming the accepted words
    public static Protection parse(String text) {
        return Arrays.stream(values())
                .filter(each -> each.word.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the key's protection is none (expected: "
                        + Arrays.stream(values()).map(Protection::word).collect(Collectors.joining(", ")) + ")"));
    }

    public String word() {
        return word;
    }

    /// Half a sentence about the key, for people.
    public String sentence() {
        return sentence;
    }
}
