@NullMarked
package dev.cagewright.sandbox.pool;

import org.jspecify.annotations.NullMarked;
