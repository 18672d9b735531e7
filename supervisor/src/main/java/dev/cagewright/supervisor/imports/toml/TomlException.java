package dev.cagewright.supervisor.imports.toml;

import dev.cagewright.supervisor.policyfile.yaml.Position;
import java.io.Serial;

/// A text that is no TOML, or more of it than is read. The message says what and where.
public final class TomlException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    TomlException(Position at, String what) {
        super(at + ": " + what);
    }
}
