/// What a run came to, on less than a screen: whom it reached, what was denied and what would allow it, which files it
/// changed, what was asked, used and lent, and how to prove it. Start at [FactsReader] and [SummaryText]. From the
/// records alone, so that it can be told again later. Nothing here decides, or changes what a cage wrote.
@NullMarked
package dev.cagewright.cli.summary;

import org.jspecify.annotations.NullMarked;
