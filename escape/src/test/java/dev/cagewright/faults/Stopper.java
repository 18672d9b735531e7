package dev.cagewright.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The program that stops a command at a step (`src/test/c/stopper`), and what it reports.
///
/// @param program compiled for this host
record Stopper(Path program) {
    private static final Path SOURCES = Path.of("src/test/c/stopper").toAbsolutePath();
    private static final String NO_STEP = "-";

    /// What a command came to.
    ///
    /// @param steps all that it took
    /// @param struck what was done at the step; empty if it was not reached
    /// @param survivors processes that outlived the patience of the stopper, which ended them
    /// @param exit the command's code, 128 + n after signal n
    /// @param err what it said
    record Stopped(List<Step> steps, String struck, List<String> survivors, int exit, String err) {}

    static Stopper compile() throws IOException, InterruptedException {
        var target = Files.createDirectories(Path.of("target/probes").toAbsolutePath());
        var program = target.resolve("stopper-" + ProcessHandle.current().pid());
        var words = new ArrayList<>(List.of("cc", "-std=gnu17", "-O1", "-static", "-Wall", "-Wextra", "-Werror"));
        words.addAll(List.of("-o", program.toString()));
        try (var sources = Files.list(SOURCES)) {
            sources.map(Path::toString).filter(name -> name.endsWith(".c")).forEach(words::add);
        }
        var compiler = new ProcessBuilder(words).inheritIO().start();
        if (compiler.waitFor() != 0) {
            throw new IOException("cc: " + words);
        }
        return new Stopper(program);
    }

    /// Runs `command` to its end and tells its steps.
    Stopped watch(List<String> command, Path folder, Map<String, String> variables)
            throws IOException, InterruptedException {
        return disturb(NO_STEP, NO_STEP, command, folder, variables);
    }

    /// Disturbs it in front of the step of that name.
    ///
    /// @param act the victim, `sh:` and a line of the shell, or `fail:` and an error's number
    Stopped disturb(String step, String act, List<String> command, Path folder, Map<String, String> variables)
            throws IOException, InterruptedException {
        var report = Files.createTempFile("cagewright-stopper", ".report");
        var err = Files.createTempFile("cagewright-stopper", ".err");
        var words = new ArrayList<>(List.of(program.toString(), report.toString(), step, act));
        words.addAll(command);
        var builder = new ProcessBuilder(words).directory(folder.toFile()).redirectError(err.toFile());
        builder.redirectInput(Path.of("/dev/null").toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(variables);
        int exit = builder.start().waitFor();
        var said = Files.readString(err, StandardCharsets.ISO_8859_1);
        var lines = Files.readAllLines(report, StandardCharsets.ISO_8859_1);
        Files.delete(report);
        Files.delete(err);
        if (exit != 0) {
            throw new IOException("stopper: exit " + exit + ": " + said);
        }
        return read(lines, said);
    }

    private static Stopped read(List<String> lines, String err) {
        var steps = new ArrayList<Step>();
        var survivors = new ArrayList<String>();
        var struck = "";
        int exit = -1;
        for (String line : lines) {
            var rest = line.substring(line.indexOf(' ') + 1);
            switch (line.substring(0, line.indexOf(' '))) {
                case "step" -> steps.add(new Step(rest.substring(3), victims(rest)));
                case "struck" -> struck = rest;
                case "survivor" -> survivors.add(rest);
                case "end" -> exit = Integer.parseInt(rest);
                default -> throw new IllegalStateException("stopper: " + line);
            }
        }
        return new Stopped(steps, struck, survivors, exit, err);
    }

    private static List<Victim> victims(String flags) {
        var there = new ArrayList<>(List.of(Victim.SUPERVISOR));
        if (flags.charAt(0) == 'h') {
            there.add(Victim.HELPER);
        }
        if (flags.charAt(1) == 'i') {
            there.add(Victim.INIT);
        }
        return there;
    }
}
