@NullMarked
package dev.cagewright.supervisor.desk;

import org.jspecify.annotations.NullMarked;
