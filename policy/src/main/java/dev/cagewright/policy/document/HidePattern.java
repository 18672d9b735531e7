package dev.cagewright.policy.document;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.quantity.Field;

/// Something the workload cannot see: an absolute path with all below it, or `**/name`, which is that name
/// in any directory.
public record HidePattern(String value) {
    private static final String ANYWHERE = "**/";

    /// Reads one of the accepted spellings.
    ///
    /// @throws IllegalArgumentException naming `field` and what is accepted
    public static HidePattern parse(String field, String text) {
        if (text.startsWith(ANYWHERE)) {
            var name = text.substring(ANYWHERE.length());
            if (name.isEmpty()
                    || name.equals(".")
                    || name.equals("..")
                    || name.contains("/")
                    || name.contains("*")
                    || Field.hasControl(name)) {
                throw Field.refusal(field, text, "one plain name after '**/', e.g. **/.env");
            }
            return new HidePattern(text);
        }
        if (text.indexOf('*') >= 0) {
            throw Field.refusal(field, text, "an absolute path without '*', or **/name");
        }
        return new HidePattern(Mount.target(field, text).value());
    }

    public boolean hides(GuestPath path) {
        if (!value.startsWith(ANYWHERE)) {
            return path.isWithin(new GuestPath(value));
        }
        return (path.value() + "/").contains(value.substring(2) + "/");
    }

    @Override
    public String toString() {
        return value;
    }
}
