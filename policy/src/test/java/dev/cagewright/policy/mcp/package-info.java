@NullMarked
package dev.cagewright.policy.mcp;

import org.jspecify.annotations.NullMarked;
