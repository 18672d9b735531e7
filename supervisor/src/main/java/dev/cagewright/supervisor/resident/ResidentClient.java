package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.host.ThisProcess;
import dev.cagewright.supervisor.hatch.Peers;
import dev.cagewright.supervisor.resident.wire.Frame;
import dev.cagewright.supervisor.resident.wire.Line;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Asks the background supervisor of a person; each question on a connection of its own. Believes nobody but a process
/// of the same user. Safe for all threads.
///
/// @param address where it listens
public record ResidentClient(Path address) {
    /// The supervisor that answers now; empty if none does.
    ///
    /// @throws IOException if it cannot be told
    public static Optional<ResidentClient> find(StateFolders folders) throws IOException {
        var address = SupervisorPlace.of(folders).address();
        if (address.isEmpty()) {
            return Optional.empty();
        }
        var client = new ResidentClient(address.get());
        try (var _ = client.line()) {
            return Optional.of(client);
        } catch (StrangerException e) {
            throw e;
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// Is the cage of this name up?
    ///
    /// @throws IOException if it cannot be told
    public static boolean isUp(StateFolders folders, String name) throws IOException {
        var client = find(folders);
        return client.isPresent()
                && client.get().state().cages().stream()
                        .anyMatch(cage -> cage.name().equals(name));
    }

    /// Takes the cage of this name down, if it is up. When it returns, no process of it lives.
    ///
    /// @return what a person should hear of what it left, each one sentence
    /// @throws IOException if it cannot be told, or could not be taken down
    public static List<String> stopIfUp(StateFolders folders, String name) throws IOException {
        return isUp(folders, name) ? find(folders).orElseThrow().stop(name) : List.of();
    }

    /// How the supervisor stands.
    ///
    /// @param process its number
    public record State(long process, List<CageState> cages) {}

    /// What came of [#up].
    ///
    /// @param told what a person should hear, each one sentence
    public record Up(String session, UpOrder.Arrival arrival, List<String> told) {}

    /// A connection whose other side is a process of our own user.
    private Line line() throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(address));
            if (!Peers.only(ThisProcess.user()).test(channel)) {
                throw new StrangerException("at " + address + " somebody else's process listens, and is asked nothing"
                        + " (expected: your own background supervisor)");
            }
            return new Line(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static final class StrangerException extends IOException {
        private static final long serialVersionUID = 1;

        StrangerException(String message) {
            super(message);
        }
    }

    private static Frame question(String verb, Consumer<JsonObject.Builder> about) {
        var json = Json.object().put("ask", verb).put("version", Conversation.VERSION);
        about.accept(json);
        return Frame.of(Frame.Kind.ASK, json.build());
    }

    private JsonObject ask(String verb, Consumer<JsonObject.Builder> about) throws IOException {
        return ask(verb, about, Hearer.NOBODY);
    }

    private JsonObject ask(String verb, Consumer<JsonObject.Builder> about, Hearer meanwhile) throws IOException {
        try (var line = line()) {
            line.write(question(verb, about));
            var answer = answer(line, meanwhile);
            var refused = RefusedException.read(answer);
            if (refused.isPresent()) {
                throw refused.get();
            }
            return answer;
        }
    }

    /// The first frame that is neither said meanwhile nor written by a program meanwhile.
    private static JsonObject answer(Line line, Hearer meanwhile) throws IOException {
        while (true) {
            var frame = line.read()
                    .orElseThrow(() -> new IOException("the background supervisor ended before it answered"
                            + " (expected: the same command again)"));
            switch (frame.kind()) {
                case TOLD -> meanwhile.told().accept(Ends.texts(frame.json(), "told"));
                case ERR -> meanwhile.output().write(frame.bytes());
                default -> {
                    return frame.json();
                }
            }
        }
    }

    /// Who hears what happens before an answer.
    ///
    /// @param told gets sentences for a person
    /// @param output gets what a set-up writes; whoever has it closes it
    public record Hearer(Consumer<List<String>> told, OutputStream output) {
        static final Hearer NOBODY = new Hearer(_ -> {}, OutputStream.nullOutputStream());
    }

    /// How it stands now.
    ///
    /// @throws IOException if it does not answer
    public State state() throws IOException {
        var answer = ask("state", _ -> {});
        var process = answer.member("process").orElse(null) instanceof JsonNumber number ? number.asLong() : 0;
        var cages = answer.member("cages").orElse(null) instanceof JsonArray(var items) ? items : List.of();
        try {
            return new State(
                    process,
                    cages.stream()
                            .filter(JsonObject.class::isInstance)
                            .map(item -> CageState.read((JsonObject) item))
                            .toList());
        } catch (DateTimeException e) {
            throw new IOException("the background supervisor says when in no known way", e);
        }
    }

    /// Brings a cage up.
    ///
    /// @throws RefusedException if that is not to be
    public Up up(UpOrder order) throws IOException {
        return up(order, Hearer.NOBODY);
    }

    /// Brings a cage up; its set-up ends if this process does.
    ///
    /// @throws RefusedException if that is not to be
    public Up up(UpOrder order, Hearer meanwhile) throws IOException {
        var answer = ask("up", order::write, meanwhile);
        var arrival = answer.text("arrival").orElse("").equals(UpOrder.Arrival.BEFORE.word())
                ? UpOrder.Arrival.BEFORE
                : UpOrder.Arrival.NEW;
        return new Up(answer.text("session").orElse(""), arrival, Ends.texts(answer, "told"));
    }

    /// Takes a cage down.
    ///
    /// @return what a person should hear of what it left, each one sentence
    /// @throws RefusedException if it is not up
    public List<String> stop(String name) throws IOException {
        return Ends.texts(ask("stop", json -> json.put("name", name)), "told");
    }

    /// Has the supervisor end, with all its cages. It ends in its own time: [#find] tells.
    public void end() throws IOException {
        ask("end", _ -> {});
    }

    /// Has a program run in a cage.
    ///
    /// @param streams joined to the program's
    /// @return closed by the caller, which ends a program that still runs
    public RemoteProgram exec(ExecOrder order, Streams streams) throws IOException {
        var line = line();
        try {
            line.write(question("exec", order::write));
            return new RemoteProgram(line, streams);
        } catch (IOException | RuntimeException e) {
            line.close();
            throw e;
        }
    }
}
