package dev.cagewright.policy.argv;

import dev.cagewright.policy.action.ByteString;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// `exec.allowlist`: the programs that may start, by name or by absolute path.
///
/// A bare name means the program of that name in one of [#DIRECTORIES] and nothing else, wherever the working
/// directory is; a name with a version left open means any version of that interpreter. An absolute path means the
/// very same bytes.
public final class ExecAllowlist {
    /// Where the cage looks for bare names, in this order.
    public static final List<String> DIRECTORIES = List.of("/usr/local/bin", "/usr/bin", "/bin");

    private static final Set<String> SYSTEM_DIRECTORIES =
            Set.of("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin");

    private final Set<String> spellings;
    private final List<ProgramName> names;

    /// @param entries program names, or canonical absolute paths
    public ExecAllowlist(Collection<String> entries) {
        this.spellings = entries.stream().map(ExecAllowlist::bytes).collect(Collectors.toUnmodifiableSet());
        this.names = spellings.stream()
                .filter(entry -> !entry.startsWith("/"))
                .map(ProgramName::of)
                .toList();
    }

    /// Is a program of this name, or of this absolute path, on the list?
    public boolean allows(String entry) {
        return allows(ProgramName.of(bytes(entry)));
    }

    /// As words of a command line are read: one char for each byte.
    private static String bytes(String entry) {
        return ByteString.of(entry).latin1();
    }

    /// Is this program on the list?
    public boolean allows(ProgramName program) {
        if (spellings.contains(program.spelling())) {
            return true;
        }
        boolean isOnThePath = program.spelling().indexOf('/') < 0 || SYSTEM_DIRECTORIES.contains(program.directory());
        return isOnThePath && names.stream().anyMatch(program::isMeantBy);
    }

    /// The first of `programs` that is not on the list.
    public Optional<ArgvReading.Started> firstMissing(List<ArgvReading.Started> programs) {
        return programs.stream().filter(started -> !allows(started.name())).findFirst();
    }
}
