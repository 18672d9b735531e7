@NullMarked
package dev.cagewright.supervisor.schema.pattern;

import org.jspecify.annotations.NullMarked;
