/// Stores on a disk.
@NullMarked
package dev.cagewright.secrets.store;

import org.jspecify.annotations.NullMarked;
