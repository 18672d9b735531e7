import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/// `java FinishBill.java BILL LIBRARIES OUT RELEASE...`: what Maven knows of the product becomes the bill of materials
/// (CycloneDX) of the image: without what is needed for compiling only, with the Java runtime, and with a word on
/// the library whose classes were rewritten.
public final class FinishBill {
    private static final String RUNTIME = "java-runtime";
    private static final String REWRITTEN = "picocli";

    private final Set<String> gone = new HashSet<>();
    private final Set<String> jars;
    private final Properties release;

    private FinishBill(Set<String> jars, Properties release) {
        this.jars = jars;
        this.release = release;
    }

    public static void main(String... paths) throws IOException, JsonSyntaxException {
        var jars = new HashSet<String>();
        try (var files = Files.list(Path.of(paths[1]))) {
            files.forEach(file -> jars.add(file.getFileName().toString()));
        }
        var release = new Properties();
        for (var path : List.of(paths).subList(3, paths.length)) {
            try (var lines = Files.newBufferedReader(Path.of(path))) {
                release.load(lines);
            }
        }
        var bill = (JsonObject) Json.parse(Files.readAllBytes(Path.of(paths[0])));
        Files.writeString(Path.of(paths[2]), new FinishBill(jars, release).of(bill).write() + "\n");
    }

    private JsonObject of(JsonObject bill) {
        var members = new LinkedHashMap<>(bill.members());
        var components = new ArrayList<JsonValue>();
        for (var item : list(bill, "components")) {
            var component = (JsonObject) item;
            var jar = component.text("name").orElseThrow() + "-" + component.text("version").orElseThrow() + ".jar";
            if (!jars.contains(jar)) {
                gone.add(component.text("bom-ref").orElseThrow());
            } else {
                components.add(component.text("name").orElseThrow().equals(REWRITTEN) ? rewritten(component) : component);
            }
        }
        components.add(runtime());
        members.put("components", new JsonArray(components));
        members.put("dependencies", new JsonArray(list(bill, "dependencies").stream()
                .map(JsonObject.class::cast)
                .filter(entry -> !gone.contains(entry.text("ref").orElseThrow()))
                .<JsonValue>map(this::dependency)
                .toList()));
        return new JsonObject(members);
    }

    private JsonObject dependency(JsonObject entry) {
        var on = new ArrayList<>(list(entry, "dependsOn").stream()
                .filter(ref -> !(ref instanceof JsonString text && gone.contains(text.value())))
                .toList());
        if (entry.text("ref").orElseThrow().contains("/cagewright-dist@")) {
            on.add(Json.of(RUNTIME));
        }
        var members = new LinkedHashMap<>(entry.members());
        members.put("dependsOn", new JsonArray(on));
        return new JsonObject(members);
    }

    /// The digests are those of the released jar.
    private static JsonObject rewritten(JsonObject component) {
        var members = new LinkedHashMap<>(component.members());
        members.put("pedigree", Json.object()
                .put("notes", "Class files of major version 49 were raised to 51 and given stack maps; instructions are"
                        + " unchanged. The digests are those of the jar as it was released.")
                .build());
        return new JsonObject(members);
    }

    private JsonObject runtime() {
        return Json.object()
                .put("type", "platform")
                .put("bom-ref", RUNTIME)
                .put("name", "OpenJDK runtime (" + value("IMPLEMENTOR") + ")")
                .put("version", value("JAVA_RUNTIME_VERSION"))
                .put("description", "Modules: " + value("MODULES"))
                .put("licenses", new JsonArray(List.of(Json.object()
                        .put("expression", "GPL-2.0-only WITH Classpath-exception-2.0")
                        .build())))
                .build();
    }

    private String value(String name) {
        return release.getProperty(name, "?").replace("\"", "");
    }

    private static List<JsonValue> list(JsonObject object, String name) {
        return ((JsonArray) object.member(name).orElseThrow()).items();
    }
}
