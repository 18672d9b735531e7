package dev.cagewright.supervisor.evidence;

import java.util.regex.Pattern;

/// The names that entries of a bundle can have: one or two plain words with a slash between. None of them leaves the
/// folder that somebody unpacks a bundle into, and none is a name that a file system or a shell takes for another.
final class EntryName {
    static final String RECEIPT = "receipt.json";
    static final String KEY = "receipt.pub.hex";
    static final String LINES = "log/lines.jsonl";
    static final String CHECKPOINT = "log/checkpoint";
    static final String CHANGES = "changes.jsonl";
    static final String SECTIONS = "sections.json";
    static final String VERIFY = "VERIFY.md";
    static final String FILES = "files/";

    static final int LONGEST = 100;

    private static final Pattern FORM = Pattern.compile("([a-z]{1,10}/)?[A-Za-z0-9][A-Za-z0-9.-]{0,80}");
    private static final Pattern POLICY = Pattern.compile("policy/[0-9a-f]{64}\\.yaml");
    private static final Pattern PROOF = Pattern.compile("log/[1-9][0-9]{0,17}\\.proof");
    private static final Pattern FILE = Pattern.compile("files/[0-9a-f]{64}");

    private EntryName() {}

    static boolean isPlain(String name) {
        return FORM.matcher(name).matches() && !name.contains("..");
    }

    static String policy(String sha256) {
        return "policy/" + sha256 + ".yaml";
    }

    static String proof(long seq) {
        return "log/" + seq + ".proof";
    }

    static String file(String sha256) {
        return FILES + sha256;
    }

    /// Is this the name of something that a bundle has?
    static boolean isKnown(String name) {
        return switch (name) {
            case RECEIPT, KEY, LINES, CHECKPOINT, CHANGES, SECTIONS, VERIFY -> true;
            default ->
                POLICY.matcher(name).matches()
                        || PROOF.matcher(name).matches()
                        || FILE.matcher(name).matches();
        };
    }
}
