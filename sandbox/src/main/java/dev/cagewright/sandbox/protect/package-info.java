/// What a workload must not change or read in its own workspace: the hard-deny tier. Start at
/// [ProtectionPlan] and [Placeholders].
///
/// The plan looks at the workspace before a cage is built and turns what it finds into masks: git hooks and
/// configuration, agent and editor configuration, shell start-up files stay readable but fixed; credentials
/// and sockets disappear. Each object is judged by what it is. Names that do not exist yet are kept from
/// coming into being by placeholders, which are gone after the run, and [AfterRun] tells what could not be
/// prevented. Names are bytes. Nothing here runs a program, git least of all, or follows a link out of the
/// workspace.
///
/// Not covered: what lies in `node_modules`, what lies behind the bounds of the scan (which is told), and
/// files that are data to one tool and program to another, such as a Makefile (which are reported when changed).
@NullMarked
package dev.cagewright.sandbox.protect;

import org.jspecify.annotations.NullMarked;
