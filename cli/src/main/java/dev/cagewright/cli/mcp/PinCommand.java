package dev.cagewright.cli.mcp;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.mcp.pin.Pin;
import dev.cagewright.mcp.pin.PinBook;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright mcp pin`: what was accepted of servers, and accepting more.
@Command(
        name = "pin",
        description = {
            "Without a server: those that are known, and how much of each is held.",
            "With one: its tools, prompts and resource templates as they are pinned. The first list of a server is"
                    + " trusted as it is; whatever is new or changed after that is held until it is accepted here."
                    + " cagewright mcp diff shows it."
        },
        mixinStandardHelpOptions = true)
public final class PinCommand implements Callable<Integer> {
    private static final int SHORT_DIGEST = 12;

    /// Of what is accepted, so much is named on record.
    private static final int MOST_NAMED = 100;

    private final Console console;
    private final StateFolders folders;
    private final PinBook book;

    @Parameters(paramLabel = "SERVER", arity = "0..1", description = "The server's name.")
    @SuppressWarnings("FieldCanBeFinal")
    private Optional<String> server = Optional.empty();

    @Option(names = "--accept", paramLabel = "NAME", description = "Accept this one as it is now; may be repeated.")
    @SuppressWarnings("FieldCanBeFinal")
    private List<String> accepted = List.of();

    @Option(names = "--all", description = "Accept everything that is held.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean all = false;

    @Option(names = "--reset", description = "Forget the server; what it offers next is its first list.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean reset = false;

    @Option(names = "--json", description = "Print JSON.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean json = false;

    public PinCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
        this.book = new PinBook(folders);
    }

    @Override
    public Integer call() throws IOException {
        boolean isChange = all || reset || !accepted.isEmpty();
        if (server.isEmpty()) {
            if (isChange) {
                throw new IllegalArgumentException("SERVER: absent (expected: whose are accepted or forgotten)");
            }
            return servers().code();
        }
        if (reset && (all || !accepted.isEmpty())) {
            throw new IllegalArgumentException("--reset beside --accept or --all (expected: one of them)");
        }
        return (reset ? forgotten() : isChange ? accepted() : shown()).code();
    }

    private ExitCode servers() throws IOException {
        var names = book.servers();
        if (json) {
            console.out().println(Json.of(names).write());
            return ExitCode.OK;
        }
        if (names.isEmpty()) {
            console.say("no server has been seen yet");
        }
        for (String name : names) {
            var pins = book.page(name).orElse(List.of());
            long held = pins.stream().filter(Pin::isHeld).count();
            console.out()
                    .println(console.palette().strong(Visible.text(name)) + ": " + pins.size() + " known"
                            + (held == 0 ? "" : ", " + console.palette().bad(held + " held")));
        }
        return ExitCode.OK;
    }

    private List<Pin> pins() throws IOException {
        return book.page(server.orElseThrow())
                .orElseThrow(() -> new IllegalArgumentException(
                        "SERVER: \"" + Visible.text(server.orElseThrow()) + "\" (expected: " + known() + ")"));
    }

    private String known() {
        try {
            var names = book.servers().stream().map(Visible::text).toList();
            return names.isEmpty() ? "one that has run; none has yet" : "one of " + String.join(", ", names);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private ExitCode shown() throws IOException {
        var pins = pins();
        if (json) {
            console.out()
                    .println(Json.of(pins.stream().map(PinCommand::json).toList())
                            .write());
            return ExitCode.OK;
        }
        for (Pin pin : pins) {
            console.out()
                    .println(pin.kind().singular() + " " + Visible.text(pin.name()) + "  "
                            + pin.digest().substring(0, SHORT_DIGEST) + "  " + state(pin));
        }
        return ExitCode.OK;
    }

    private String state(Pin pin) {
        if (!pin.isHeld()) {
            return "accepted";
        }
        return console.palette().bad(pin.accepted().isPresent() ? "held: changed" : "held: new");
    }

    private static JsonObject json(Pin pin) {
        return Json.object()
                .put("kind", pin.kind().singular())
                .put("name", pin.name())
                .put("sha256", pin.digest())
                .put("held", pin.isHeld())
                .build();
    }

    private static List<JsonObject> named(List<Pin> pins) {
        return pins.stream()
                .limit(MOST_NAMED)
                .map(pin -> Json.object()
                        .put("kind", pin.kind().singular())
                        .put("name", pin.name())
                        .put("sha256", pin.digest())
                        .build())
                .toList();
    }

    /// On record before it is done: a log that takes nothing lets nothing be accepted.
    private void note(String name, JsonObject.Builder detail) throws IOException {
        try (var log = AuditLog.open(folders.auditLog(), InstantSource.system())) {
            log.append(Event.note(
                    Origin.LOG,
                    Json.object().put("name", name).build(),
                    detail.put("server", server.orElseThrow())
                            .put("by", System.getProperty("user.name", "?"))
                            .build()));
        }
    }

    private ExitCode forgotten() throws IOException {
        var name = Visible.text(server.orElseThrow());
        console.say(
                book.reset(server.orElseThrow(), _ -> note("mcp.forgotten", Json.object()))
                        ? name + " is forgotten; what it offers next is trusted as its first list"
                        : name + " was not known");
        return ExitCode.OK;
    }

    private ExitCode accepted() throws IOException {
        var pins = pins();
        for (String name : accepted) {
            if (pins.stream().noneMatch(pin -> pin.name().equals(name))) {
                throw new IllegalArgumentException("--accept: \"" + Visible.text(name) + "\" (expected: one of "
                        + String.join(
                                ", ",
                                pins.stream()
                                        .filter(Pin::isHeld)
                                        .map(pin -> Visible.text(pin.name()))
                                        .toList())
                        + ")");
            }
        }
        var settled = book.accept(
                server.orElseThrow(),
                pin -> all || accepted.contains(pin.name()),
                done -> note(
                        "mcp.accepted", Json.object().put("count", done.size()).put("accepted", named(done))));
        if (settled.isEmpty()) {
            console.say("nothing of it is held");
        }
        settled.forEach(
                pin -> console.out().println("accepted " + pin.kind().singular() + " " + Visible.text(pin.name())));
        return ExitCode.OK;
    }
}
