package dev.cagewright.egress.inspect.credential;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A stretch of a credential behind its prefix: bytes of one class, so many of them.
///
/// @param most [#OPEN] if there is no most: what goes on is still the same credential
record Part(ByteClass bytes, int least, int most) {
    static final int OPEN = Integer.MAX_VALUE;

    private static final Pattern FORM = Pattern.compile("(\\S+)\\{([0-9]{1,3})(,([0-9]{1,3})?)?}");

    /// Reads parts such as `A-Za-z0-9{22} _{1} A-Za-z0-9{40,}`, separated by blanks.
    static List<Part> listOf(String text) {
        var parts = new ArrayList<Part>();
        for (String one : text.split(" ", -1)) {
            var form = FORM.matcher(one);
            if (!form.matches()) {
                throw new IllegalArgumentException("part: " + one + " (expected: CLASS{N}, CLASS{N,} or CLASS{N,M})");
            }
            int least = Integer.parseInt(form.group(2));
            int most = form.group(3) == null ? least : form.group(4) == null ? OPEN : Integer.parseInt(form.group(4));
            parts.add(new Part(ByteClass.of(form.group(1)), least, most));
        }
        return List.copyOf(parts);
    }

    boolean isOpen() {
        return most == OPEN;
    }
}
