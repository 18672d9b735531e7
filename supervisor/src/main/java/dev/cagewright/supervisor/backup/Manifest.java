package dev.cagewright.supervisor.backup;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.supervisor.backup.Kept.Data;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What an archive says that is in it: a line about itself, then one for each thing of the home.
///
/// @param cage the name that the cage had
/// @param files the cage's own two, and the sealed secrets if there are any
/// @param salt of their passphrase, hexadecimal
/// @param home folders before what is in them
record Manifest(String cage, Instant made, Map<String, Data> files, Optional<String> salt, List<Kept> home) {
    static final String NAME = "manifest.jsonl";
    static final String DIGEST = "manifest.sha256";
    static final String FORM = "cage.yaml";
    static final String POLICY = "policy.yaml";
    static final String SECRETS = "secrets.sealed";

    private static final String KIND = "cagewright-backup";
    private static final long VERSION = 1;
    private static final Set<String> KNOWN = Set.of(FORM, POLICY, SECRETS);

    Manifest {
        files = Map.copyOf(files);
        home = List.copyOf(home);
    }

    byte[] write() {
        var head = Json.object()
                .put("form", KIND)
                .put("version", VERSION)
                .put("cage", cage)
                .put("made", made.toString())
                .put("files", files.values().stream().map(Data::toJson).toList());
        salt.ifPresent(text -> head.put("salt", text));
        var text = new StringBuilder(head.build().write()).append('\n');
        home.forEach(one -> text.append(one.toJson().write()).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Reads one, and believes nothing of it.
    ///
    /// @throws BackupException saying what is wrong
    static Manifest read(byte[] bytes) throws BackupException {
        try {
            var lines = lines(bytes);
            return of(object(lines.getFirst()), lines.subList(1, lines.size()));
        } catch (JsonSyntaxException | IllegalArgumentException | DateTimeException e) {
            throw new BackupException("has no manifest that can be read: " + e.getMessage());
        }
    }

    private static Manifest of(JsonObject head, List<byte[]> lines) throws BackupException, JsonSyntaxException {
        if (!head.text("form").equals(Optional.of(KIND))) {
            throw new BackupException("is no backup of a cage");
        }
        if (!(head.member("version").orElse(null) instanceof JsonNumber(String version))
                || !version.equals(Long.toString(VERSION))) {
            throw new BackupException("has a form that this version of the product does not know (expected: version "
                    + VERSION + "; restore it with the version that wrote it)");
        }
        var home = new ArrayList<Kept>();
        for (byte[] line : lines) {
            home.add(Kept.of(object(line)));
        }
        requireOrder(home);
        return new Manifest(
                head.text("cage").orElse(""),
                Instant.parse(head.text("made").orElse("")),
                files(head),
                head.text("salt"),
                home);
    }

    private static Map<String, Data> files(JsonObject head) throws BackupException {
        var files = new HashMap<String, Data>();
        if (head.member("files").orElse(null) instanceof JsonArray(var items)) {
            for (var item : items) {
                if (item instanceof JsonObject json) {
                    var data = Data.of(json);
                    files.put(data.name(), data);
                }
            }
        }
        if (!files.containsKey(FORM) || !files.containsKey(POLICY) || !KNOWN.containsAll(files.keySet())) {
            throw new BackupException("does not have the files of a cage, cage.yaml and policy.yaml");
        }
        return files;
    }

    private static JsonObject object(byte[] line) throws JsonSyntaxException {
        if (Json.parse(line, Bounds.TEXT) instanceof JsonObject json) {
            return json;
        }
        throw new IllegalArgumentException("a line is no object");
    }

    private static List<byte[]> lines(byte[] bytes) {
        var lines = new ArrayList<byte[]>();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines.add(Arrays.copyOfRange(bytes, from, i));
                from = i + 1;
            }
        }
        if (from != bytes.length || lines.isEmpty() || lines.size() > Bounds.ENTRIES + 1) {
            throw new IllegalArgumentException("it is cut, or has more than " + Bounds.ENTRIES + " lines");
        }
        return lines;
    }

    /// Every path once, in a folder that was told before, and no more bytes than a home may have.
    private static void requireOrder(List<Kept> home) {
        var folders = new HashSet<Object>();
        var all = new HashSet<Object>();
        var names = new HashSet<String>();
        long bytes = 0;
        for (Kept one : home) {
            boolean isIn =
                    one.path().parent().isTop() || folders.contains(one.path().parent());
            if (!isIn || !all.add(one.path())) {
                throw new IllegalArgumentException("a path is told twice, or before its folder: " + one.path());
            }
            switch (one) {
                case Kept.Folder folder -> folders.add(folder.path());
                case Kept.File file -> {
                    bytes = Math.addExact(bytes, file.data().size());
                    if (!file.data().name().matches("home/[0-9]{1,9}")
                            || !names.add(file.data().name())) {
                        throw new IllegalArgumentException("a file has no bytes of its own: " + one.path());
                    }
                }
                case Kept.Link _ -> {}
            }
        }
        if (bytes > Bounds.BYTES) {
            throw new IllegalArgumentException(
                    "the home has " + bytes + " bytes (expected: at most " + Bounds.BYTES + ")");
        }
    }

    /// Of the home.
    long bytes() {
        return home.stream()
                .mapToLong(one -> one instanceof Kept.File file ? file.data().size() : 0)
                .sum();
    }

    /// How many names the archive has to have.
    int names() {
        return 2
                + files.size()
                + (int) home.stream().filter(Kept.File.class::isInstance).count();
    }
}
