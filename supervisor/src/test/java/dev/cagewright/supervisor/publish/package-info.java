@NullMarked
package dev.cagewright.supervisor.publish;

import org.jspecify.annotations.NullMarked;
