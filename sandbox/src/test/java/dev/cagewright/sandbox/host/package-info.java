@NullMarked
package dev.cagewright.sandbox.host;

import org.jspecify.annotations.NullMarked;
