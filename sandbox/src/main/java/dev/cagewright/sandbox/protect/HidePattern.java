package dev.cagewright.sandbox.protect;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A pattern of names to hide. Without `/` it fits the last name at any depth; with one it fits the whole path
/// from the workspace, where `**` stands for any number of names. `*` and `?` stay within a name. Bytes, case
/// counts, and the time is bounded by the product of the two lengths.
record HidePattern(List<String> names) {
    private static final int LIMIT = 4096;

    /// @throws IllegalArgumentException if `text` is empty, too long or climbs out of the workspace
    static HidePattern parse(String text) {
        var latin1 = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        var stripped = latin1.startsWith("/") ? latin1.substring(1) : latin1;
        var names = Arrays.asList(stripped.split("/", -1));
        if (latin1.length() > LIMIT || names.contains("") || names.contains(".") || names.contains("..")) {
            throw new IllegalArgumentException("hide pattern: " + text + " (expected: like *.pem or config/**/key)");
        }
        return new HidePattern(names.size() == 1 && !latin1.startsWith("/") ? List.of("**", latin1) : names);
    }

    boolean fits(TreePath path) {
        return fits(path.names());
    }

    private boolean fits(List<String> path) {
        var reached = new boolean[path.size() + 1];
        reached[0] = true;
        for (String name : names) {
            var next = new boolean[path.size() + 1];
            if (name.equals("**")) {
                next[0] = reached[0];
                for (int i = 1; i <= path.size(); i++) {
                    next[i] = reached[i] || next[i - 1];
                }
            } else {
                for (int i = 1; i <= path.size(); i++) {
                    next[i] = reached[i - 1] && nameFits(/* pattern= */ name, /* name= */ path.get(i - 1));
                }
            }
            reached = next;
        }
        return reached[path.size()];
    }

    /// Does `pattern`, with `*` and `?`, fit all of `name`? Goes back to the last `*` only.
    static boolean nameFits(String pattern, String name) {
        int at = 0;
        int star = -1;
        int retry = 0;
        int i = 0;
        while (i < name.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                retry = i;
            } else if (at < pattern.length() && (pattern.charAt(at) == '?' || pattern.charAt(at) == name.charAt(i))) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++retry;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
