package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.terminal.TerminalSize;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.resident.caller.Callers.Presence;
import dev.cagewright.supervisor.resident.wire.Words;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Somebody wants a program to run in a cage that is up.
///
/// @param name the cage's
/// @param argv the program and its arguments; none means a shell
/// @param caller the variables of whoever asks
/// @param terminal the terminal that it gets; absent for pipes
/// @param presence who hears of it when a person has to approve it first
public record ExecOrder(
        String name,
        List<ByteString> argv,
        Map<ByteString, ByteString> caller,
        Optional<Screen> terminal,
        Presence presence) {
    private static final String PRESENCE = "person";

    /// A terminal as the person's is.
    ///
    /// @param settings as `Streams.Pty` has them
    public record Screen(TerminalSize size, ByteString settings) {}

    public ExecOrder {
        NamedCage.requireName(name);
        argv = List.copyOf(argv);
        caller = Map.copyOf(caller);
    }

    void write(JsonObject.Builder json) {
        json.put("name", name).put("argv", Words.words(argv)).put("caller", Words.variables(caller));
        json.put(PRESENCE, presence == Presence.PERSON);
        terminal.ifPresent(screen -> json.put("rows", screen.size().rows())
                .put("columns", screen.size().columns())
                .put("settings", Words.words(List.of(screen.settings()))));
    }

    /// @throws IllegalArgumentException if it is none
    static ExecOrder read(JsonObject json) {
        var terminal = json.member("rows").orElse(null) instanceof JsonNumber rows
                        && json.member("columns").orElse(null) instanceof JsonNumber columns
                ? Optional.of(new Screen(
                        new TerminalSize(Math.toIntExact(rows.asLong()), Math.toIntExact(columns.asLong())),
                        Words.bytes(Ends.texts(json, "settings")).stream()
                                .findFirst()
                                .orElse(ByteString.of(""))))
                : Optional.<Screen>empty();
        return new ExecOrder(
                json.text("name").orElse(""),
                Words.bytes(Ends.texts(json, "argv")),
                Words.variables(Ends.texts(json, "caller")),
                terminal,
                json.member(PRESENCE).orElse(null) instanceof JsonBoolean(boolean isThere) && isThere
                        ? Presence.PERSON
                        : Presence.PROGRAM);
    }
}
