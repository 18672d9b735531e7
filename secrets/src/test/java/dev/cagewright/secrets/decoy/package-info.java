/// The shapes of decoys.
@NullMarked
package dev.cagewright.secrets.decoy;

import org.jspecify.annotations.NullMarked;
