/// `demo attack`: a program of the product's own plays an agent that was talked into everything at once, in a cage, and
/// each of its attempts is told with what stopped it and where that is on record.
///
/// Start at [AttackCommand], then [Attempts], the list of what is tried, and [Timeline], which joins what the program
/// says with what the log says. What the program says is never believed where the host can look for itself:
/// [Aftermath]. The program is `agent.py` beside these classes; it changes nothing outside of a folder that is made
/// for it and removed.
@NullMarked
package dev.cagewright.cli.demo.attack;

import org.jspecify.annotations.NullMarked;
