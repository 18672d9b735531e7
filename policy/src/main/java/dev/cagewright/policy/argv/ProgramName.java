package dev.cagewright.policy.argv;

import java.util.Set;

/// The name of a program as an argument list spells it, taken apart by text.
///
/// @param directory what stands before the last `/`, without it; empty for a bare name and for `/name`
/// @param base what stands behind the last `/`
/// @param stem `base` without a trailing version, e.g. `python` of `python3.12`
/// @param version the trailing version, e.g. `3.12`, or empty
public record ProgramName(String spelling, String directory, String base, String stem, String version) {

    /// The programs whose versions stand in their names; for any other name a digit is a letter.
    private static final Set<String> VERSIONED = Set.of(
            "python", "pypy", "perl", "ruby", "node", "nodejs", "lua", "luajit", "php", "pip", "gcc", "g++", "cpp",
            "clang", "clang++", "gawk", "tclsh", "java", "bash", "julia");

    /// Takes `spelling` apart.
    public static ProgramName of(String spelling) {
        int slash = spelling.lastIndexOf('/');
        var directory = slash < 0 ? "" : spelling.substring(0, slash);
        var base = spelling.substring(slash + 1);
        int end = versionStart(base);
        var stem = base.substring(0, end);
        if (stem.endsWith("-") && VERSIONED.contains(stem.substring(0, end - 1))) {
            stem = stem.substring(0, end - 1);
        }
        if (end == base.length() || !VERSIONED.contains(stem)) {
            return new ProgramName(spelling, directory, base, base, "");
        }
        return new ProgramName(spelling, directory, base, stem, base.substring(end));
    }

    /// Where a version of digits and dots, perhaps with the letter of a build flavour, begins.
    private static int versionStart(String base) {
        int end = base.length();
        if (end > 1 && "dmt".indexOf(base.charAt(end - 1)) >= 0 && isDigit(base.charAt(end - 2))) {
            end--;
        }
        int start = end;
        while (start > 0 && (isDigit(base.charAt(start - 1)) || base.charAt(start - 1) == '.')) {
            start--;
        }
        return start == end || base.charAt(start) == '.' ? base.length() : start;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /// Does an entry `listed` of an allowlist mean a program of this base name? The same bytes, or the same
    /// interpreter with a version that `listed` leaves open: `python3` means `python3.12`, never `python2`.
    boolean isMeantBy(ProgramName listed) {
        if (base.equals(listed.base)) {
            return true;
        }
        if (version.isEmpty() || !stem.equals(listed.stem)) {
            return false;
        }
        return listed.version.isEmpty() ? listed.base.equals(stem) : version.startsWith(listed.version + ".");
    }
}
