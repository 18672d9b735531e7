/// Tests of captures and archives.
@NullMarked
package dev.cagewright.supervisor.har;

import org.jspecify.annotations.NullMarked;
