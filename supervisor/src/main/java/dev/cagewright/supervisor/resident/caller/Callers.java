package dev.cagewright.supervisor.resident.caller;

import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Those who want something of a named cage that a person may have to approve first: they hear the question. What a
/// thread asks for is its caller's, as long as the caller stays with it. Safe for all threads.
public final class Callers implements Asker {
    private final Map<Thread, Caller> here = new ConcurrentHashMap<>();

    /// With nobody in it.
    public Callers() {}

    /// Somebody who wants something.
    ///
    /// @param presence is there a person?
    /// @param asked hears the question, at once
    public record Caller(Presence presence, Consumer<Question> asked) {
        /// Nobody listens.
        public static final Caller NOBODY = new Caller(Presence.PROGRAM, _ -> {});
    }

    /// Who sits where something is asked for.
    public enum Presence {
        /// Somebody at a terminal, who can answer.
        PERSON,
        /// Nobody who answers, as far as is known.
        PROGRAM
    }

    /// What this thread asks for is `caller`'s, until the answer is closed by this thread.
    public Stay on(Caller caller) {
        var thread = Thread.currentThread();
        here.put(thread, caller);
        return () -> here.remove(thread);
    }

    /// While a caller stays.
    @FunctionalInterface
    public interface Stay extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public boolean reaches() {
        return caller().filter(one -> one.presence() == Presence.PERSON).isPresent();
    }

    @Override
    public Asked ask(Question question, Answers answers) {
        caller().ifPresent(one -> one.asked().accept(question));
        return () -> {};
    }

    private Optional<Caller> caller() {
        return Optional.ofNullable(here.get(Thread.currentThread()));
    }
}
