/// What a program in a cage can read about the cage: start at [dev.cagewright.supervisor.guide.AgentsGuide], the text,
/// and [dev.cagewright.supervisor.guide.RunGuide], where the cage finds it. Nothing here decides anything.
@NullMarked
package dev.cagewright.supervisor.guide;

import org.jspecify.annotations.NullMarked;
