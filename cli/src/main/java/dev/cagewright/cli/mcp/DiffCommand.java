package dev.cagewright.cli.mcp;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.mcp.pin.Pin;
import dev.cagewright.mcp.pin.PinBook;
import dev.cagewright.mcp.pin.PinDiff;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright mcp diff`: what is held of servers, beside what was accepted.
@Command(
        name = "diff",
        description = {
            "What servers offer now and nobody accepted: each part that was (-) and is (+), as JSON, with every character"
                    + " that cannot be seen as its number.",
            "The exit code is 1 when something is held. cagewright mcp pin SERVER --accept NAME accepts it."
        },
        mixinStandardHelpOptions = true)
public final class DiffCommand implements Callable<Integer> {
    private final Console console;
    private final PinBook book;

    @Parameters(paramLabel = "SERVER", arity = "0..1", description = "The server's name; all of them by default.")
    @SuppressWarnings("FieldCanBeFinal")
    private Optional<String> server = Optional.empty();

    @Option(names = "--json", description = "Print JSON.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean json = false;

    public DiffCommand(Console console, StateFolders folders) {
        this.console = console;
        this.book = new PinBook(folders);
    }

    @Override
    public Integer call() throws IOException {
        var all = new ArrayList<JsonObject>();
        for (String name : server.map(List::of).orElse(book.servers())) {
            var page = book.page(name)
                    .orElseThrow(() -> new IllegalArgumentException("SERVER: \"" + Visible.text(name)
                            + "\" (expected: one that was seen; cagewright mcp pin)"));
            page.stream().filter(Pin::isHeld).forEach(pin -> {
                all.add(json(name, pin));
                if (!json) {
                    show(name, pin);
                }
            });
        }
        if (json) {
            console.out().println(Json.of(all).write());
        } else if (all.isEmpty()) {
            console.say("nothing is held");
        }
        return (all.isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED).code();
    }

    private void show(String name, Pin pin) {
        console.out()
                .println(console.palette()
                        .strong(pin.kind().singular() + " " + Visible.text(pin.name()) + " of " + Visible.text(name)
                                + (pin.accepted().isPresent() ? ": changed" : ": new")));
        for (PinDiff.Line line : PinDiff.of(pin)) {
            var text = "  " + Visible.text(line.toString());
            console.out()
                    .println(
                            line.effect() == PinDiff.Effect.IS
                                    ? console.palette().good(text)
                                    : console.palette().bad(text));
        }
    }

    private static JsonObject json(String name, Pin pin) {
        var lines = PinDiff.of(pin).stream()
                .map(line -> Json.object()
                        .put("is", line.effect() == PinDiff.Effect.IS)
                        .put("at", line.pointer())
                        .put("value", line.value())
                        .build())
                .toList();
        return Json.object()
                .put("server", name)
                .put("kind", pin.kind().singular())
                .put("name", pin.name())
                .put("change", pin.accepted().isPresent() ? "changed" : "new")
                .put("lines", lines)
                .build();
    }
}
