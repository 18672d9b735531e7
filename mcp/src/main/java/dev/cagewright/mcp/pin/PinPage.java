package dev.cagewright.mcp.pin;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One server's page of the book, as it stands in its file. For one thread, under the book's lock.
final class PinPage {
    /// Of one kind, so many are kept.
    static final int MOST = 2_000;

    /// The largest definition, as JSON in bytes.
    static final int LARGEST = 256 * 1024;

    /// The largest page, as JSON in bytes.
    static final int MOST_BYTES = 16 << 20;

    private static final int MOST_PROGRAMS = 64;
    private static final int VERSION = 1;

    private final String server;
    private final Set<String> programs = new LinkedHashSet<>();
    private final Set<PinKind> seen = new LinkedHashSet<>();
    private final Map<PinKind, Map<String, Pin>> pins = new LinkedHashMap<>();

    PinPage(String server) {
        this.server = server;
    }

    String server() {
        return server;
    }

    /// Digests of what was started under this name, the first one first.
    Set<String> programs() {
        return programs;
    }

    /// Was nothing else started under this name before it was?
    boolean isFirstProgram(String program) {
        return programs.isEmpty() || programs.iterator().next().equals(program);
    }

    /// Remembers a program; the oldest but the first is forgotten when there are too many.
    void add(String program) {
        if (programs.add(program) && programs.size() > MOST_PROGRAMS) {
            var second = List.copyOf(programs).get(1);
            programs.remove(second);
        }
    }

    /// Kinds of which a list was seen.
    Set<PinKind> seen() {
        return seen;
    }

    Map<String, Pin> of(PinKind kind) {
        return pins.computeIfAbsent(kind, _ -> new LinkedHashMap<>());
    }

    void put(Pin pin) {
        of(pin.kind()).put(pin.name(), pin);
    }

    List<Pin> all() {
        return pins.values().stream().flatMap(some -> some.values().stream()).toList();
    }

    byte[] bytes() throws IOException {
        var kinds = Json.object();
        for (PinKind kind : PinKind.values()) {
            if (!of(kind).isEmpty() || seen.contains(kind)) {
                var some = Json.object();
                of(kind).values().forEach(pin -> some.put(pin.name(), json(pin)));
                kinds.put(kind.word(), some.build());
            }
        }
        var bytes = Json.object()
                .put("version", VERSION)
                .put("server", server)
                .put("programs", List.copyOf(programs))
                .put("pins", kinds.build())
                .build()
                .bytes();
        if (bytes.length > MOST_BYTES) {
            throw new IOException("what there is to pin of " + new JsonString(server).brief() + " is more than 16 MiB");
        }
        return bytes;
    }

    private static JsonObject json(Pin pin) {
        var json = Json.object();
        pin.accepted().ifPresent(definition -> json.put("accepted", definition));
        pin.offered().ifPresent(definition -> json.put("offered", definition));
        return json.build();
    }

    /// @throws IOException if it is no page
    static PinPage read(JsonValue value) throws IOException {
        if (!(value instanceof JsonObject json)
                || !json.member("version").equals(Optional.of(Json.of(VERSION)))
                || json.text("server").isEmpty()) {
            throw new IOException("is no page of pins of this version");
        }
        var page = new PinPage(json.text("server").get());
        if (json.member("programs").orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            for (JsonValue item : items) {
                page.programs.add(item instanceof JsonString(String text) ? text : "");
            }
        }
        var kinds =
                json.member("pins").orElse(JsonObject.EMPTY) instanceof JsonObject object ? object : JsonObject.EMPTY;
        for (var entry : kinds.members().entrySet()) {
            var kind = PinKind.of(entry.getKey()).orElseThrow(() -> new IOException("names a kind that is not known"));
            page.seen.add(kind);
            page.readAll(kind, entry.getValue());
        }
        return page;
    }

    private void readAll(PinKind kind, JsonValue value) throws IOException {
        if (!(value instanceof JsonObject some)) {
            throw new IOException("has no pins where they have to be");
        }
        for (var entry : some.members().entrySet()) {
            if (!(entry.getValue() instanceof JsonObject pin)) {
                throw new IOException("has a pin that is none");
            }
            put(new Pin(kind, entry.getKey(), definition(pin, "accepted"), definition(pin, "offered")));
        }
    }

    private static Optional<JsonObject> definition(JsonObject pin, String member) {
        return pin.member(member).filter(JsonObject.class::isInstance).map(JsonObject.class::cast);
    }

    /// Takes what a server offers now, and says what of it goes on.
    Sorting sorting(PinKind kind, String program, Pins.First first) {
        return new Sorting(this, kind, program, first);
    }

    /// Looks at one list. For one list.
    static final class Sorting {
        private final PinPage page;
        private final PinKind kind;
        private final boolean isFirst;
        private final boolean isOther;
        private final Pins.First first;
        private final List<JsonObject> passed = new ArrayList<>();
        private final List<Held> held = new ArrayList<>();
        private final Set<String> twice = new LinkedHashSet<>();

        Sorting(PinPage page, PinKind kind, String program, Pins.First first) {
            this.page = page;
            this.kind = kind;
            this.first = first;
            this.isOther = !page.programs.isEmpty() && !page.programs.contains(program);
            this.isFirst = page.seen.add(kind) && page.isFirstProgram(program);
            page.add(program);
        }

        Accepted all(List<JsonObject> definitions) {
            var names = new LinkedHashSet<String>();
            definitions.forEach(one -> {
                if (!names.add(name(one))) {
                    twice.add(name(one));
                }
            });
            definitions.forEach(this::one);
            return new Accepted(
                    passed,
                    held,
                    isFirst && first == Pins.First.TRUST ? Accepted.Trust.ON_FIRST_USE : Accepted.Trust.AS_PINNED);
        }

        private String name(JsonObject definition) {
            return kind == PinKind.SERVER
                    ? PinKind.SELF
                    : definition.text(kind.key()).orElse("");
        }

        private void one(JsonObject definition) {
            var name = name(definition);
            var canonical = Canonical.object(definition);
            var known = page.of(kind).get(name);
            if (twice.contains(name)) {
                hold(name, Held.Reason.TWICE);
            } else if (canonical.bytes().length > LARGEST
                    || (known == null && page.of(kind).size() >= MOST)) {
                hold(name, Held.Reason.TOO_LARGE);
            } else if (known == null) {
                unknown(name, canonical, definition);
            } else if (known.accepted().equals(Optional.of(canonical))) {
                page.put(new Pin(kind, name, known.accepted(), Optional.empty()));
                passed.add(definition);
            } else {
                page.put(new Pin(kind, name, known.accepted(), Optional.of(canonical)));
                hold(name, known.accepted().isPresent() ? Held.Reason.CHANGED : Held.Reason.NEW);
            }
        }

        private void unknown(String name, JsonObject canonical, JsonObject definition) {
            if (isFirst && first == Pins.First.TRUST) {
                page.put(new Pin(kind, name, Optional.of(canonical), Optional.empty()));
                passed.add(definition);
                return;
            }
            page.put(new Pin(kind, name, Optional.empty(), Optional.of(canonical)));
            hold(name, isOther ? Held.Reason.OTHER_PROGRAM : isFirst ? Held.Reason.FIRST : Held.Reason.NEW);
        }

        private void hold(String name, Held.Reason reason) {
            held.add(new Held(kind, name, reason));
        }
    }
}
