@NullMarked
package dev.cagewright.supervisor.schema;

import org.jspecify.annotations.NullMarked;
