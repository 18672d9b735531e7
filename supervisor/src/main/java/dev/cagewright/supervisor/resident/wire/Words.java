package dev.cagewright.supervisor.resident.wire;

import dev.cagewright.policy.action.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Bytes as they stand in JSON: each byte a character.
public final class Words {
    private Words() {}

    /// Words as texts.
    public static List<String> words(List<ByteString> words) {
        return words.stream().map(ByteString::latin1).toList();
    }

    /// Texts as words.
    public static List<ByteString> bytes(List<String> words) {
        return words.stream().map(Words::bytes).toList();
    }

    private static ByteString bytes(String word) {
        return ByteString.copyOf(word.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Variables as `name=value`.
    public static List<String> variables(Map<ByteString, ByteString> variables) {
        var all = new ArrayList<String>();
        variables.forEach((name, value) -> all.add(name.latin1() + "=" + value.latin1()));
        return all;
    }

    /// The other way round; the first of a name counts.
    public static Map<ByteString, ByteString> variables(List<String> entries) {
        var all = new LinkedHashMap<ByteString, ByteString>();
        for (String entry : entries) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                all.putIfAbsent(bytes(entry.substring(0, equals)), bytes(entry.substring(equals + 1)));
            }
        }
        return all;
    }
}
