/// Commands that look back: `ls` and `why`. Start at [WhyCommand]. Nothing here changes anything.
@NullMarked
package dev.cagewright.cli.session;

import org.jspecify.annotations.NullMarked;
