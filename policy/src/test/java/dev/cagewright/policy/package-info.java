@NullMarked
package dev.cagewright.policy;

import org.jspecify.annotations.NullMarked;
