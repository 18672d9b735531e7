/// The counter at which a caged program gets narrower tokens made of its session's: a unix socket in the cage, the key
/// outside. Start at [TokenCounter], which puts the socket where the cage finds it, and [CounterClerk], which answers.
/// Nothing here decides what a token is worth; that is `policy.token`. No text of a token is logged or shown here, and
/// the session's own never enters the cage.
@NullMarked
package dev.cagewright.supervisor.counter;

import org.jspecify.annotations.NullMarked;
