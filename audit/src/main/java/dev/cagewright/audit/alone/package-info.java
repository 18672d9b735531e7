/// The verifier as a program of its own: `java -jar cagewright-audit.jar verify LOG`. Needs a JDK's base and nothing
/// else. Start at [Main]. Only reads.
@NullMarked
package dev.cagewright.audit.alone;

import org.jspecify.annotations.NullMarked;
