@NullMarked
package dev.cagewright.cli.screen;

import org.jspecify.annotations.NullMarked;
