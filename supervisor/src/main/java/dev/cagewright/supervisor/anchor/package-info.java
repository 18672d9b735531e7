/// Signs how far the log has come and carries that to where its writer cannot change it. Start at [Notary] and
/// [Anchor];
/// [Schedule] is what a person asked for once. A carrier that fails is told and recorded.
@NullMarked
package dev.cagewright.supervisor.anchor;

import org.jspecify.annotations.NullMarked;
