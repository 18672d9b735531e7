package dev.cagewright.sandbox.programs;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.programs.ExecClosure.ExecPath;
import dev.cagewright.sandbox.programs.ExecClosure.Extent;
import dev.cagewright.sandbox.programs.ResolvedProgram.Place;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// One walk from allowed names to the files they need. For one thread.
final class ClosureWalk {
    private static final int SCRIPT_DEPTH = 4;
    private static final int TREE_LIMIT = 64;

    private final Programs programs;
    private final MultiCall multiCall;
    private final Map<Path, ExecPath> paths = new TreeMap<>();
    private final Set<String> warnings = new LinkedHashSet<>();
    private final List<String> missing = new ArrayList<>();
    private final Set<String> allowed = new LinkedHashSet<>();

    ClosureWalk(Programs programs) {
        this.programs = programs;
        this.multiCall = new MultiCall(programs);
    }

    ExecClosure closure() {
        multiCall.warnings(allowed).forEach(warnings::add);
        return new ExecClosure(List.copyOf(paths.values()), List.copyOf(warnings), missing);
    }

    void allow(ByteString name) {
        try {
            start(programs.resolve(name), "allowed as " + name.printable(), 0);
        } catch (ProgramNotFoundException e) {
            missing.add(e.getMessage());
        }
        name.utf8().filter(text -> text.indexOf('/') < 0).ifPresent(this::allowVersions);
    }

    private void allowVersions(String name) {
        allowed.add(name);
        if (name.isEmpty()) {
            return;
        }
        var spelling = Pattern.compile(Pattern.quote(name) + "(-?[0-9]+)?(\\.[0-9]+)*");
        for (String version : programs.namesOnPath(spelling.asMatchPredicate()::test)) {
            allowed.add(version);
            tryStart(version, "a version of " + name, 0);
        }
    }

    private void tryStart(String name, String why, int depth) {
        programs.find(name).ifPresent(found -> start(found, why, depth));
    }

    private void start(ResolvedProgram program, String why, int depth) {
        if (!add(program.target(), Extent.FILE, why)) {
            return;
        }
        if (program.place() == Place.WRITABLE) {
            warnings.add(program.named() + " lies where the workload may write: it can become any program");
        }
        multiCall.note(program);
        addHeader(program, depth);
        addCompanions(program, depth);
    }

    private boolean add(Path path, Extent extent, String why) {
        return paths.putIfAbsent(path, new ExecPath(path, extent, why)) == null;
    }

    private void addHeader(ResolvedProgram program, int depth) {
        try {
            switch (ProgramHeader.read(programs.onHost(program.target()))) {
                case ProgramHeader.DynamicElf(String loader) -> addLoader(program, loader);
                case ProgramHeader.StaticElf _ -> {}
                case ProgramHeader.Script(List<String> words) -> addInterpreter(program, words, depth);
                case ProgramHeader.Unknown _ ->
                    warnings.add(program.target() + " is neither an ELF file nor a script: only a shell starts it");
            }
        } catch (IOException e) {
            warnings.add(program.target() + " cannot be read (" + e.getMessage() + "): what it needs is unknown");
        }
    }

    private void addLoader(ResolvedProgram program, String loader) {
        programs.existing(Path.of(loader))
                .ifPresentOrElse(
                        path -> add(path, Extent.FILE, "the loader of dynamic programs such as " + program.named()),
                        () -> warnings.add(program.target() + " needs the loader " + loader + ", which is missing"));
    }

    private void addInterpreter(ResolvedProgram program, List<String> words, int depth) {
        if (depth == SCRIPT_DEPTH) {
            warnings.add(program.target() + " is a script of a script too deep to start");
            return;
        }
        var why = "the first line of " + program.named() + " names it";
        var interpreter = words.getFirst();
        if (!interpreter.startsWith("/")) {
            warnings.add(program.target() + " names the relative interpreter " + ByteString.of(interpreter));
            return;
        }
        tryStart(interpreter, why, depth + 1);
        if (interpreter.endsWith("/env")) {
            envProgram(words).ifPresent(name -> tryStart(name, why, depth + 1));
        }
    }

    /// What `#!/usr/bin/env [-S] [NAME=value ...] program` starts.
    private static Optional<String> envProgram(List<String> words) {
        return words.stream()
                .skip(1)
                .filter(word -> !word.startsWith("-") && word.indexOf('=') < 0)
                .findFirst();
    }

    private void addCompanions(ResolvedProgram program, int depth) {
        var name = String.valueOf(program.named().getFileName());
        for (Companions row : Companions.of(name)) {
            for (String tree : row.trees()) {
                expand(program, tree).forEach(path -> addTree(path, name + ": " + row.why()));
            }
            if (depth < SCRIPT_DEPTH) {
                row.names().forEach(other -> tryStart(other, name + ": " + row.why(), depth + 1));
            }
            if (!row.notIncluded().isEmpty() && !allowed.contains("sh")) {
                warnings.add(name + " " + row.notIncluded());
            }
        }
    }

    private void addTree(Path path, String why) {
        add(path, Files.isDirectory(programs.onHost(path)) ? Extent.TREE : Extent.FILE, why);
    }

    /// The existing paths that `pattern` of a [Companions] row stands for, links followed, at most a few.
    private List<Path> expand(ResolvedProgram program, String pattern) {
        var home = program.target().getParent() == null
                ? null
                : program.target().getParent().getParent();
        if (pattern.startsWith("<home>") && (home == null || home.getNameCount() < 3)) {
            return List.of();
        }
        var found = List.of(Path.of("/"));
        for (Path name : Path.of(pattern.replace("<home>", String.valueOf(home)))) {
            var wanted = name.toString();
            found = found.stream()
                    .flatMap(at -> children(at, wanted).stream())
                    .limit(TREE_LIMIT)
                    .toList();
        }
        return found.stream()
                .flatMap(path -> programs.existing(path).stream())
                .distinct()
                .toList();
    }

    private List<Path> children(Path guest, String wanted) {
        if (wanted.indexOf('*') < 0) {
            return List.of(guest.resolve(wanted));
        }
        var found = new ArrayList<Path>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(programs.onHost(guest), wanted)) {
            entries.forEach(entry -> found.add(guest.resolve(String.valueOf(entry.getFileName()))));
        } catch (IOException _) {
            return List.of();
        }
        found.sort(null);
        return found;
    }
}
