/// Tests of reading and merging git configuration.
@NullMarked
package dev.cagewright.sandbox.gitconfig;

import org.jspecify.annotations.NullMarked;
