/// The key of the stores, and what protects it.
@NullMarked
package dev.cagewright.supervisor.vault;

import org.jspecify.annotations.NullMarked;
