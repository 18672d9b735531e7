package dev.cagewright.supervisor.backup;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.environment.CageEnvironment;
import dev.cagewright.sandbox.files.RelativePath;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// What a manifest says of one thing of a home.
sealed interface Kept {
    /// Below the home.
    RelativePath path();

    /// A folder.
    ///
    /// @param mode the nine lower bits
    record Folder(RelativePath path, int mode) implements Kept {}

    /// A file.
    ///
    /// @param mode the nine lower bits
    /// @param data the archive's name for its bytes, and what they are
    record File(RelativePath path, int mode, Instant modified, Data data) implements Kept {}

    /// A link that does not leave the home, wherever others of it lead.
    record Link(RelativePath path, ByteString text) implements Kept {}

    /// Does a link at `path` with this text stay in the home? It does when it first goes up no more than there is
    /// and then only down: every other link stays, too, so whatever it goes through does. An absolute one is the
    /// cage's.
    static boolean stays(RelativePath path, ByteString text) {
        var words = text.latin1();
        var home = CageEnvironment.HOME + "/";
        int up = words.startsWith(home) ? 0 : path.parent().names().size();
        var names = List.of((words.startsWith(home) ? words.substring(home.length()) : words).split("/", -1));
        boolean isEmptyOrAbsolute = words.isEmpty() || (words.startsWith("/") && !words.startsWith(home));
        long first = names.stream().takeWhile(".."::equals).count();
        return !isEmptyOrAbsolute
                && first <= up
                && names.stream().skip(first).noneMatch(".."::equals)
                && words.indexOf('\0') < 0;
    }

    /// Bytes of an archive.
    ///
    /// @param name the archive's own
    /// @param sha256 64 digits
    record Data(String name, long size, String sha256) {
        JsonObject toJson() {
            return Json.object()
                    .put("name", name)
                    .put("size", size)
                    .put("sha256", sha256)
                    .build();
        }

        static Data of(JsonObject json) {
            long size = number(json, "size");
            var sha256 = text(json, "sha256");
            if (size < 0 || !sha256.matches("[0-9a-f]{64}")) {
                throw new IllegalArgumentException("a size or digest is none");
            }
            return new Data(text(json, "name"), size, sha256);
        }
    }

    /// One line of a manifest.
    default JsonObject toJson() {
        var json = Json.object();
        put(json, "path", path().bytes());
        switch (this) {
            case Folder folder -> json.put("kind", "folder").put("mode", folder.mode());
            case File file ->
                json.put("kind", "file")
                        .put("mode", file.mode())
                        .put("modified", file.modified().toString())
                        .put("data", file.data().toJson());
            case Link link -> put(json.put("kind", "link"), "text", link.text());
        }
        return json.build();
    }

    /// What such a line says.
    ///
    /// @throws IllegalArgumentException if it is none, or would leave the home
    static Kept of(JsonObject json) {
        var path = new RelativePath(bytes(json, "path"));
        if (path.isTop() || path.names().size() > Bounds.DEPTH) {
            throw new IllegalArgumentException("a path is none or too deep: " + path);
        }
        return switch (text(json, "kind")) {
            case "folder" -> new Folder(path, mode(json));
            case "file" -> file(path, json);
            case "link" -> link(path, bytes(json, "text"));
            default -> throw new IllegalArgumentException(path + " is neither file, folder nor link");
        };
    }

    private static File file(RelativePath path, JsonObject json) {
        try {
            if (json.member("data").orElse(null) instanceof JsonObject data) {
                return new File(path, mode(json), Instant.parse(text(json, "modified")), Data.of(data));
            }
            throw missing("data");
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(path + " has no time", e);
        }
    }

    private static Link link(RelativePath path, ByteString text) {
        if (!stays(path, text)) {
            throw new IllegalArgumentException("a link leaves the home: " + path + " -> " + text);
        }
        return new Link(path, text);
    }

    /// Of the twelve bits only nine are anybody's to choose: nothing comes back that changes who runs it.
    private static int mode(JsonObject json) {
        long mode = number(json, "mode");
        if (mode < 0 || mode > 0777) {
            throw new IllegalArgumentException("a mode is none: " + Long.toOctalString(mode));
        }
        return (int) mode;
    }

    private static void put(JsonObject.Builder json, String member, ByteString bytes) {
        bytes.utf8()
                .ifPresentOrElse(
                        text -> json.put(member, text),
                        () -> json.put(member + "_hex", HexFormat.of().formatHex(bytes.toByteArray())));
    }

    private static ByteString bytes(JsonObject json, String member) {
        return json.text(member)
                .map(ByteString::of)
                .or(() -> json.text(member + "_hex")
                        .map(hex -> ByteString.copyOf(HexFormat.of().parseHex(hex))))
                .orElseThrow(() -> missing(member));
    }

    private static String text(JsonObject json, String member) {
        return json.text(member).orElseThrow(() -> missing(member));
    }

    private static long number(JsonObject json, String member) {
        return Stream.of(json.member(member).orElseThrow(() -> missing(member)))
                .filter(JsonNumber.class::isInstance)
                .map(value -> Long.parseLong(value.write()))
                .findFirst()
                .orElseThrow(() -> missing(member));
    }

    private static IllegalArgumentException missing(String member) {
        return new IllegalArgumentException("a line of the manifest has no \"" + member + "\"");
    }
}
