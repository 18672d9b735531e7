/// Where package tools fetch from on this machine, read from their own files and variables. Start at [Registries]. No
/// tool is run, nothing is looked up, and no file is read that a cage could have written; a tool's own default is read
/// from the tool's own files, since no host is written down here. Passwords in those files are passed over.
@NullMarked
package dev.cagewright.supervisor.registries;

import org.jspecify.annotations.NullMarked;
