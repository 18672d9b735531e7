@NullMarked
package dev.cagewright.supervisor.fetch;

import org.jspecify.annotations.NullMarked;
