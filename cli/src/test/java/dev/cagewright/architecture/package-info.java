/// Holds the shape of the sources: the arrows between modules, and sizes.
@NullMarked
package dev.cagewright.architecture;

import org.jspecify.annotations.NullMarked;
