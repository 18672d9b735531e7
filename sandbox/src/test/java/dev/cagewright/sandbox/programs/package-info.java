@NullMarked
package dev.cagewright.sandbox.programs;

import org.jspecify.annotations.NullMarked;
