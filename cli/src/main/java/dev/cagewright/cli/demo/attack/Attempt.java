package dev.cagewright.cli.demo.attack;

/// One thing that the agent tries.
///
/// @param id what the agent calls it, `[a-z0-9-]+`
/// @param group the heading it stands under
/// @param what it does, one clause
record Attempt(String id, String group, String what, Evidence evidence) {}
