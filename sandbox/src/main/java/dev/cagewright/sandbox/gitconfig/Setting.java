package dev.cagewright.sandbox.gitconfig;

/// One setting of a configuration file. Texts hold one char a byte.
///
/// @param section lower case, e.g. `core`
/// @param subsection as git compares it, `""` for none
/// @param key lower case, e.g. `hookspath`
/// @param value without quotes and escapes; `true` where none is written
public record Setting(String section, String subsection, String key, String value) {
    /// As git names it: `remote.origin.url`.
    public String name() {
        return section + (subsection.isEmpty() ? "" : "." + subsection) + "." + key;
    }

    boolean isNamedLike(Setting other) {
        return isIn(other) && key.equals(other.key);
    }

    boolean isIn(Setting other) {
        return section.equals(other.section) && subsection.equals(other.subsection);
    }

    Setting with(String changed) {
        return new Setting(section, subsection, key, changed);
    }

    /// For messages, safe on a terminal.
    @Override
    public String toString() {
        return Printable.of(name() + " = " + value);
    }
}
