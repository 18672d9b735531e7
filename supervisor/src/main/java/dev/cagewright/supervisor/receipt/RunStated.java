package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What was to run, or was up, and when it went through which phase.
///
/// @param cage the cage's name
/// @param directory the working directory in the cage
/// @param environment names of the variables that the program got, sorted; never a value
/// @param phases in the order of their times; the first is the beginning, the last the end
/// @param setup what ran before; empty when nothing had to
/// @param programs those of a named cage, whose `argv` is that of its own program, if it has one; empty for a run
public record RunStated(
        String session,
        String cage,
        Argv argv,
        String directory,
        List<String> environment,
        List<Phase> phases,
        Optional<SetupStated> setup,
        Optional<ProgramsStated> programs) {
    /// A step that a run has come to.
    ///
    /// @param name `asked`, `decided`, `planned`, `caged`, `started`, `ended` or `recorded`; with `setup-` in front
    ///     where it is the set-up's. A named cage is not decided about and not started: its programs are
    public record Phase(String name, Instant at) {
        private JsonObject toJson() {
            return Json.object().put("name", name).put("at", at.toString()).build();
        }

        private static Phase read(String where, JsonValue json) throws ReceiptSyntaxException {
            var members = Members.of(where, json);
            var phase = new Phase(members.text("name"), members.time("at"));
            members.end();
            return phase;
        }
    }

    public RunStated {
        environment = List.copyOf(environment);
        phases = List.copyOf(phases);
        if (phases.isEmpty()) {
            throw new IllegalArgumentException("phases: none (expected: at least the beginning)");
        }
    }

    public Instant started() {
        return phases.getFirst().at();
    }

    public Instant ended() {
        return phases.getLast().at();
    }

    JsonObject toJson() {
        var json = Json.object()
                .put("session", session)
                .put("cage", cage)
                .put("argv", argv.toJson())
                .put("directory", directory)
                .put("environment", environment)
                .put(
                        "phases",
                        new JsonArray(
                                phases.stream().<JsonValue>map(Phase::toJson).toList()));
        setup.ifPresent(before -> json.put("setup", before.toJson()));
        programs.ifPresent(ran -> json.put("programs", ran.toJson()));
        return json.build();
    }

    static RunStated read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var session = members.text("session");
        var cage = members.text("cage");
        var argv = members.value("argv", Argv::read);
        var directory = members.text("directory");
        var environment = members.texts("environment");
        var phases = members.list("phases", Phase::read);
        var setup = members.optional("setup", SetupStated::read);
        var programs = members.optional("programs", ProgramsStated::read);
        members.end();
        if (phases.isEmpty()) {
            throw new ReceiptSyntaxException(where + ".phases: are none");
        }
        return new RunStated(session, cage, argv, directory, environment, phases, setup, programs);
    }
}
