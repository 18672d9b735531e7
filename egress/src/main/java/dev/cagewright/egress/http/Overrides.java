package dev.cagewright.egress.http;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Fields by which some frameworks take another method or another path than the request line's. Whoever names another
/// one there than the one that is judged is refused.
final class Overrides {
    private static final Set<String> OF_METHOD = Set.of("x-http-method-override", "x-http-method", "x-method-override");
    private static final Set<String> OF_TARGET = Set.of("x-original-url", "x-rewrite-url");

    private Overrides() {}

    /// @param method in capitals
    static void require(Fields fields, String method, String target) throws MalformedException {
        for (Map.Entry<String, String> field : fields.all()) {
            // gateways to programs (RFC 3875, 4.1.18) make no difference between the two characters
            var name = field.getKey().toLowerCase(Locale.ROOT).replace('_', '-');
            var value = field.getValue();
            if (OF_METHOD.contains(name) && !value.equalsIgnoreCase(method)) {
                throw new MalformedException(field.getKey() + " names another method than the request line");
            }
            if (OF_TARGET.contains(name) && !value.equals(target)) {
                throw new MalformedException(field.getKey() + " names another target than the request line");
            }
        }
    }
}
