@NullMarked
package dev.cagewright.cli.summary;

import org.jspecify.annotations.NullMarked;
