@NullMarked
package dev.cagewright.sandbox.environment;

import org.jspecify.annotations.NullMarked;
