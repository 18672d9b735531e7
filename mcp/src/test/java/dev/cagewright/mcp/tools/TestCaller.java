package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Caller;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/// A client of one call, in this process.
final class TestCaller implements Caller {
    private final List<Runnable> whenCancelled = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final Map<String, CountDownLatch> awaited = new LinkedHashMap<>();
    private final Optional<Function<String, JsonObject>> person;
    private boolean isCancelled;

    TestCaller() {
        this.person = Optional.empty();
    }

    /// @param person answers what is asked by elicitation
    TestCaller(Function<String, JsonObject> person) {
        this.person = Optional.of(person);
    }

    @Override
    public void whenCancelled(Runnable action) {
        synchronized (this) {
            if (!isCancelled) {
                whenCancelled.add(action);
                return;
            }
        }
        action.run();
    }

    void cancel() {
        List<Runnable> all;
        synchronized (this) {
            isCancelled = true;
            all = List.copyOf(whenCancelled);
        }
        all.forEach(Runnable::run);
    }

    @Override
    public synchronized boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void progress(double done, OptionalDouble total, String what) {}

    @Override
    public synchronized void log(String level, String logger, String line) {
        lines.add(logger + ": " + line);
        var waiting = awaited.get(line);
        if (waiting != null) {
            waiting.countDown();
        }
    }

    /// Opens when the program has said `line`.
    synchronized CountDownLatch said(String line) {
        return awaited.computeIfAbsent(line, _ -> new CountDownLatch(1));
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public JsonObject capabilities() {
        return person.isPresent()
                ? Json.object().put("elicitation", JsonObject.EMPTY).build()
                : JsonObject.EMPTY;
    }

    @Override
    public Map<String, JsonObject> ask(Map<String, Question> questions) {
        var answers = new LinkedHashMap<String, JsonObject>();
        questions.forEach((name, question) -> {
            var message = question.params().text("message").orElse("");
            synchronized (this) {
                asked.add(message);
            }
            person.ifPresent(one -> answers.put(name, one.apply(message)));
        });
        return answers;
    }
}
