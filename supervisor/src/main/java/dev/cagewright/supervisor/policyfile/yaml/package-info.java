/// One strict YAML 1.2 document, or JSON, as a tree of values with their places. Start at [StrictReader] and
/// [Node]; what is wrong with a text is collected in [Problems]. Nothing here knows a policy, opens a file or makes
/// an object that a text asked for.
@NullMarked
package dev.cagewright.supervisor.policyfile.yaml;

import org.jspecify.annotations.NullMarked;
