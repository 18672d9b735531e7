package dev.cagewright.bench;

import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;

/// The command line from start to exit, the whole process, files in the page cache: a run of `true`, `version`,
/// and a bare `java -version` as the floor. State goes to a folder of its own. `-Dbench.home` names the checkout.
final class ColdStart {
    private ColdStart() {}

    static void main(String... arguments)
            throws IOException, InterruptedException, ConfinementException, DeniedException {
        var effort = Effort.of(arguments);
        var launcher = Path.of(System.getProperty("bench.home", "."), "cagewright")
                .toRealPath()
                .toString();
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var figures = new Figures();
        try (var project = SampleProject.create();
                var state = SampleProject.create()) {
            var ways = List.<Way>of(
                    new Command("run", List.of(launcher, "run", "-q", "--", "true"), project, state),
                    new Command("version", List.of(launcher, "version"), project, state),
                    new Command(
                            "java",
                            List.of(java, "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-version"),
                            project,
                            state));
            try (var race = new Race(ways, 1)) {
                race.rounds(2);
                race.rounds(effort.coldStarts());
                race.write(figures, "cold.");
            }
        }
        figures.write("cold");
    }

    private record Command(String name, List<String> words, SampleProject project, SampleProject state) implements Way {
        @Override
        public Rest once() throws IOException, InterruptedException {
            var builder = new ProcessBuilder(words)
                    .directory(project.path().toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD);
            builder.environment()
                    .put("XDG_STATE_HOME", state.path().resolve("state").toString());
            builder.environment()
                    .put("XDG_CONFIG_HOME", state.path().resolve("config").toString());
            int status = builder.start().waitFor();
            if (status != 0) {
                throw new IOException(String.join(" ", words) + ": status " + status);
            }
            return Rest.NOTHING;
        }
    }
}
