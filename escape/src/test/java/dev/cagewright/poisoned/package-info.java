/// A server that cannot be trusted, behind the packaged product: each of its tricks comes to nothing, and is on record.
@NullMarked
package dev.cagewright.poisoned;

import org.jspecify.annotations.NullMarked;
