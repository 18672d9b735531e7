@NullMarked
package dev.cagewright.supervisor.registries;

import org.jspecify.annotations.NullMarked;
