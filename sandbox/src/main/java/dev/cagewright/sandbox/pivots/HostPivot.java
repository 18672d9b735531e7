package dev.cagewright.sandbox.pivots;

import dev.cagewright.sandbox.files.RelativePath;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A path whose content would leave the cage by the hands of a tool or a person on the host.
///
/// @param sentence who would execute or obey it, e.g. `make runs it`; a verb comes first or second
public record HostPivot(Kind kind, String sentence) {
    /// As many first bytes of a file as [#ofContent] looks at.
    public static final int HEAD = 4;

    private static final int EXECUTE = 0111;
    private static final Set<String> PROGRAM_FOLDERS = Set.of("bin", "sbin", ".bin", "Scripts");
    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};

    /// What takes it up.
    public enum Kind {
        /// Git and what hangs on it.
        HOOK,
        /// Build tools, package managers, test runners.
        BUILD,
        /// A build server or a forge.
        CI,
        /// Containers and virtual machines.
        CONTAINER,
        /// What coding agents read first.
        AGENT,
        /// A shell, an interpreter, a debugger, a desktop at its start.
        STARTUP,
        /// Whoever calls a program by its name.
        PROGRAM
    }

    /// By its name alone.
    public static Optional<HostPivot> ofName(RelativePath path) {
        for (PivotName row : PivotName.TABLE) {
            if (row.matches(path.names())) {
                return Optional.of(new HostPivot(row.kind(), row.sentence()));
            }
        }
        return Optional.empty();
    }

    /// By its permissions and its first bytes.
    ///
    /// @param head at most [#HEAD] bytes
    public static Optional<HostPivot> ofContent(RelativePath path, int permissions, byte[] head) {
        boolean isExecutable = (permissions & EXECUTE) != 0;
        if (isExecutable && isInProgramFolder(path.names())) {
            return program("is executable and stands where programs are looked for by name");
        }
        if (isExecutable) {
            return program("is executable");
        }
        if (Arrays.equals(head, ELF)) {
            return program("is a program (ELF) without permission to execute");
        }
        if (head.length >= 2 && head[0] == '#' && head[1] == '!') {
            return program("is a script (#!) without permission to execute");
        }
        return Optional.empty();
    }

    private static Optional<HostPivot> program(String sentence) {
        return Optional.of(new HostPivot(Kind.PROGRAM, sentence));
    }

    private static boolean isInProgramFolder(List<String> names) {
        return names.size() > 1 && PROGRAM_FOLDERS.contains(names.get(names.size() - 2));
    }
}
