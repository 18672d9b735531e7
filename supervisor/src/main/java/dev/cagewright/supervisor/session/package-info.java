/// One session: a policy in force, a log, a gate, and the programs that run under them. Start at [Session],
/// which owns the order and the lifetime of everything, and [CageTerms], what a policy comes to. Knows no
/// protocol, no option of the command line and no file format.
@NullMarked
package dev.cagewright.supervisor.session;

import org.jspecify.annotations.NullMarked;
