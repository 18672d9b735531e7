/// Which file a program's name means in the cage, and which files must be executable for it to start.
/// Start at [Programs] and [ExecClosure].
///
/// A closure becomes Landlock execute rights, so that `find -exec`, hooks and scripts start nothing that
/// the policy does not name. What that cannot do, by the kernel's design:
///
/// - **The loader is a program.** A dynamic binary starts only if its loader may be executed, and
///   `ld-linux.so /any/readable/elf` then runs any ELF file the cage can read, without asking for execute
///   rights on it (it maps the file, which Landlock does not judge).
/// - **Interpreters run data.** An allowed `python3`, `node`, `java`, `perl`, `awk` or `sh` runs whatever code
///   it reads; execute rights say nothing about that. Rules on arguments are guidance.
/// - **Libraries are data too.** `LD_PRELOAD` and its family are kept out of the first environment, but the
///   workload may set them for its own children.
/// - **One file, many tools.** Rights belong to files: where `ls` and `dd` are one binary, allowing one allows
///   both. Such binaries are named in [ExecClosure#warnings].
///
/// The cage's walls (namespaces, mounts, network, system calls) do not depend on any of this.
@NullMarked
package dev.cagewright.sandbox.programs;

import org.jspecify.annotations.NullMarked;
