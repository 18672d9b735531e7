/// Probes that take a whole run or several: who survives, what is exhausted, what one session sees of another, what
/// stands in the log when something happens, what a repository looks like afterwards.
///
/// Start at [dev.cagewright.escape.story.Stories]. Each class is one subject and answers a list of probes; each
/// trial runs the product itself and then looks at the host.
@NullMarked
package dev.cagewright.escape.story;

import org.jspecify.annotations.NullMarked;
