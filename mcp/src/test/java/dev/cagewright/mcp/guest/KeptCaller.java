package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Caller;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;

/// A client's side of one request that a test holds in its hand.
public final class KeptCaller implements Caller {
    private final List<Runnable> whenCancelled = new CopyOnWriteArrayList<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final JsonObject capabilities;
    private final JsonObject answer;
    private volatile boolean isCancelled;

    public KeptCaller() {
        this(JsonObject.EMPTY);
    }

    /// @param capabilities that it says it has; what it is asked then it answers with `accept`
    public KeptCaller(JsonObject capabilities) {
        this(capabilities, Json.object().put("action", "accept").build());
    }

    /// @param answer to whatever it is asked
    public KeptCaller(JsonObject capabilities, JsonObject answer) {
        this.capabilities = capabilities;
        this.answer = answer;
    }

    public void cancel() {
        isCancelled = true;
        whenCancelled.forEach(Runnable::run);
    }

    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void whenCancelled(Runnable action) {
        whenCancelled.add(action);
        if (isCancelled) {
            action.run();
        }
    }

    @Override
    public boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void progress(double done, OptionalDouble total, String what) {
        heard.add(done + " " + what);
    }

    @Override
    public void log(String level, String logger, String line) {
        heard.add(level + " " + line);
    }

    @Override
    public JsonObject capabilities() {
        return capabilities;
    }

    @Override
    public Map<String, JsonObject> ask(Map<String, Question> questions) {
        var answers = new HashMap<String, JsonObject>();
        questions.forEach((name, question) -> {
            heard.add(
                    question.method() + " " + question.params().text("message").orElse(""));
            answers.put(name, answer);
        });
        return answers;
    }
}
