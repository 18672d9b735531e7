/// Where probes run: a person, that person's folders with planted secrets, the host's listeners, and the product
/// started as that person would start it.
///
/// Start at [dev.cagewright.escape.stage.Stage] and [dev.cagewright.escape.stage.CageRun]. A stage removes what it
/// made and ends only processes it started.
@NullMarked
package dev.cagewright.escape.stage;

import org.jspecify.annotations.NullMarked;
