@NullMarked
package dev.cagewright.policy.engine;

import org.jspecify.annotations.NullMarked;
