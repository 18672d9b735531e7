/// What a cage may use: control groups where this user may make some, and the report of what holds. Start at
/// [ControlGroups] and [LimitReport]. Nothing here ends a cage.
@NullMarked
package dev.cagewright.sandbox.namespaces.limits;

import org.jspecify.annotations.NullMarked;
