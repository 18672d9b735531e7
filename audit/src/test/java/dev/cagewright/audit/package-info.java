/// What the tests of this module share.
@NullMarked
package dev.cagewright.audit;

import org.jspecify.annotations.NullMarked;
