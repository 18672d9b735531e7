/// Tests of captures and archives.
@NullMarked
package dev.cagewright.supervisor.capture;

import org.jspecify.annotations.NullMarked;
