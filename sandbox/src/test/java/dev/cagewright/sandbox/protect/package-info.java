@NullMarked
package dev.cagewright.sandbox.protect;

import org.jspecify.annotations.NullMarked;
