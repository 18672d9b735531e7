/// Tests of the reader of TOML.
@NullMarked
package dev.cagewright.supervisor.imports.toml;

import org.jspecify.annotations.NullMarked;
