/// Policy files as people and attackers write them.
@NullMarked
package dev.cagewright.supervisor.policyfile;

import org.jspecify.annotations.NullMarked;
