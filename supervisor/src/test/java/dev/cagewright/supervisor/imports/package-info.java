/// Tests of the import of other tools' policies: judged actions, and hostile sources.
@NullMarked
package dev.cagewright.supervisor.imports;

import org.jspecify.annotations.NullMarked;
