package dev.cagewright.mcp.remote;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.Ears;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Offer.Change;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/// Keeps what it hears, and agrees to everything.
final class KeptEars implements Ears {
    final BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
    final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    final List<String> said = new CopyOnWriteArrayList<>();

    @Override
    public void opened(Guest.Serving serving) {}

    @Override
    public void changed(Change what) {
        changes.add(what);
    }

    @Override
    public Map<String, JsonObject> asked(
            Standing standing, Map<String, Caller.Question> questions, Optional<Caller> caller) {
        var answers = new LinkedHashMap<String, JsonObject>();
        questions.forEach((name, question) -> {
            said.add(question.method());
            answers.put(name, Json.object().put("action", "accept").build());
        });
        return answers;
    }

    @Override
    public JsonObject abilities(Standing standing, Caller caller) {
        return abilities(standing);
    }

    @Override
    public JsonObject abilities(Standing standing) {
        return Json.object().put("elicitation", JsonObject.EMPTY).build();
    }

    @Override
    public String passing(Standing standing, String text) {
        return text;
    }

    @Override
    public void said(String line) {
        said.add(line);
    }

    @Override
    public void told(String sentence) {
        told.add(sentence);
    }
}
