@NullMarked
package dev.cagewright.cli.run;

import org.jspecify.annotations.NullMarked;
