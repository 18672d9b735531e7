package dev.cagewright.supervisor.grant;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.grant.Opening;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The members of an object that all have to be there.
///
/// @param what it is, for messages
record Members(String what, JsonObject json) {
    String text(String member) throws IOException {
        return json.text(member).orElseThrow(() -> absent(member));
    }

    long number(String member) throws IOException {
        if (json.member(member).orElse(null) instanceof JsonNumber number) {
            return number.asLong();
        }
        throw absent(member);
    }

    boolean flag(String member) throws IOException {
        if (json.member(member).orElse(null) instanceof JsonBoolean(boolean value)) {
            return value;
        }
        throw absent(member);
    }

    List<String> texts(String member) throws IOException {
        return texts(member, items(member));
    }

    List<List<String>> lists(String member) throws IOException {
        var all = new ArrayList<List<String>>();
        for (var item : items(member)) {
            if (!(item instanceof JsonArray(List<JsonValue> inner))) {
                throw absent(member);
            }
            all.add(texts(member, inner));
        }
        return all;
    }

    Opening opening() throws IOException {
        var ports = new ArrayList<Integer>();
        for (var item : items("ports")) {
            if (!(item instanceof JsonNumber number)) {
                throw absent("ports");
            }
            ports.add(Math.toIntExact(number.asLong()));
        }
        return Opening.parse(text("host"), ports, texts("methods"), texts("paths"));
    }

    private List<String> texts(String member, List<JsonValue> items) throws IOException {
        var all = new ArrayList<String>();
        for (var item : items) {
            if (!(item instanceof JsonString(String text))) {
                throw absent(member);
            }
            all.add(text);
        }
        return all;
    }

    private List<JsonValue> items(String member) throws IOException {
        if (json.member(member).orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            return items;
        }
        throw absent(member);
    }

    private IOException absent(String member) {
        return new IOException(what + ": no \"" + member + "\"");
    }
}
