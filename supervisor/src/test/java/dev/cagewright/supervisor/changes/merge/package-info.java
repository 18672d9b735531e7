@NullMarked
package dev.cagewright.supervisor.changes.merge;

import org.jspecify.annotations.NullMarked;
