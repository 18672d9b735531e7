@NullMarked
package dev.cagewright.supervisor.guide;

import org.jspecify.annotations.NullMarked;
