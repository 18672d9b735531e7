package dev.cagewright.sandbox.programs;

import java.util.List;
import java.util.regex.Pattern;

/// What well-known programs start besides themselves, as data. A folder written with `<home>` lies in the
/// program's own installation: two levels above its file. A `*` stands for one name.
///
/// @param program which names the row is for
/// @param names further programs it starts, by bare name; missing ones are left out
/// @param trees folders of programs it starts; missing ones are left out
/// @param why for people
/// @param notIncluded what it may want besides and does not get from this row; may be empty
record Companions(Pattern program, List<String> names, List<String> trees, String why, String notIncluded) {
    private static final String NEEDS_SHELL = "starts sh for %s; add sh to exec.allowlist if that is wanted";

    private static final List<Companions> TABLE = List.of(
            new Companions(
                    "git",
                    List.of(),
                    List.of("/usr/lib/git-core", "/usr/libexec/git-core"),
                    "git starts its subcommands from there",
                    NEEDS_SHELL.formatted("aliases, hooks and some subcommands")),
            new Companions(
                    "(.*-)?(gcc|cc|g\\+\\+|c\\+\\+|cpp|c99|c89)(-[0-9.]+)?",
                    List.of("as", "ld", "ld.bfd", "ld.gold"),
                    List.of("/usr/lib/gcc/*/*", "/usr/libexec/gcc/*/*"),
                    "the compiler driver starts cc1, collect2, the assembler and the linker",
                    ""),
            new Companions(
                    "(clang|clang\\+\\+)(-[0-9.]+)?",
                    List.of("as", "ld", "ld.lld"),
                    List.of("/usr/lib/llvm-*/bin"),
                    "the compiler driver starts the assembler and the linker",
                    ""),
            new Companions(
                    "java|javac|javadoc|jar|jshell|jcmd|jlink|jpackage|keytool",
                    List.of(),
                    List.of("<home>/bin", "<home>/lib/jspawnhelper", "<home>/lib/jexec"),
                    "a JVM starts other processes through its own jspawnhelper",
                    ""),
            new Companions(
                    "mvn|mvnDebug",
                    List.of("java", "uname", "dirname", "basename", "expr", "ls", "tr", "sed"),
                    List.of(),
                    "Maven's start script calls them, and then java",
                    ""),
            new Companions(
                    "npm|npx",
                    List.of("node"),
                    List.of("<home>/bin"),
                    "npm is a script for node",
                    NEEDS_SHELL.formatted("the scripts of package.json")),
            new Companions("node|nodejs", List.of(), List.of(), "", NEEDS_SHELL.formatted("child_process.exec")),
            new Companions(
                    "python[0-9.]*", List.of(), List.of(), "", NEEDS_SHELL.formatted("subprocess with shell=True")),
            new Companions("make|gmake", List.of(), List.of(), "", NEEDS_SHELL.formatted("every recipe")),
            new Companions(
                    "tar",
                    List.of("gzip", "bzip2", "xz", "zstd"),
                    List.of(),
                    "tar starts the compressor of the archive",
                    NEEDS_SHELL.formatted("every compressor")),
            new Companions(
                    "cargo", List.of("rustc"), List.of(), "cargo starts the compiler", "starts cc to link; add it"),
            new Companions(
                    "go",
                    List.of(),
                    List.of("/usr/lib/go*/bin", "/usr/lib/go*/pkg/tool/*"),
                    "go starts its tools",
                    ""));

    private Companions(String program, List<String> names, List<String> trees, String why, String notIncluded) {
        this(Pattern.compile(program), names, trees, why, notIncluded);
    }

    /// The rows for a program called `name`.
    static List<Companions> of(String name) {
        return TABLE.stream().filter(row -> row.program.matcher(name).matches()).toList();
    }
}
