package dev.cagewright.supervisor.policyfile.shape;

import java.util.LinkedHashMap;
import java.util.Map;

/// JSON Schema keywords in the order they are given, so that the published file is the same every time.
public final class Keywords {
    private Keywords() {}

    public static Map<String, Object> of(String name, Object value) {
        var keywords = new LinkedHashMap<String, Object>();
        keywords.put(name, value);
        return keywords;
    }

    public static Map<String, Object> of(String name, Object value, String second, Object secondValue) {
        var keywords = of(name, value);
        keywords.put(second, secondValue);
        return keywords;
    }
}
