/// TOML 1.0 (toml.io/en/v1.0.0) into the nodes that policy files are read into: strictly, bounded, with places. Start
/// at
/// [TomlReader].
@NullMarked
package dev.cagewright.supervisor.imports.toml;

import org.jspecify.annotations.NullMarked;
