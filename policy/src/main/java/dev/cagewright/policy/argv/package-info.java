/// What an argument list will start, read element by element, as far as small option grammars can tell: shells
/// and interpreters with code in their arguments, programs that start programs, and the names that an allowlist
/// is about. Start at [ArgvReader] and [ProgramName].
///
/// These rules are guidance, and the cage is the boundary. They say early and in words what a policy does not
/// want; they cannot see what a script, a Makefile, a git hook or a program they have no grammar for goes on to
/// do. What such a program can reach is what the cage lets it reach. Nothing here resolves a name, follows a link
/// or looks at a file.
@NullMarked
package dev.cagewright.policy.argv;

import org.jspecify.annotations.NullMarked;
