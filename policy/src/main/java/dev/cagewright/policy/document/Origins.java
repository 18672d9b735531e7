package dev.cagewright.policy.document;

import dev.cagewright.policy.decision.RuleId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which node of the policy came from which line: JSON pointers (RFC 6901, e.g. `/net/hosts/0/paths/1`) to
/// places. A pointer without a place of its own has that of its nearest parent.
public record Origins(Map<String, Origin> byPointer) {
    /// A document that was not read from a file.
    public static final Origins NONE = new Origins(Map.of());

    private static final String SETUP = "/phases/setup";
    private static final List<String> REPLACED = List.of("/net", "/command");

    public Origins {
        byPointer = Map.copyOf(byPointer);
    }

    /// The place of `pointer` or of its nearest parent; `""` is the whole document.
    public Optional<Origin> at(String pointer) {
        var here = pointer;
        while (true) {
            var origin = byPointer.get(here);
            if (origin != null) {
                return Optional.of(origin);
            }
            int slash = here.lastIndexOf('/');
            if (slash < 0) {
                return Optional.empty();
            }
            here = here.substring(0, slash);
        }
    }

    /// The same places as the document that holds during the set-up has them.
    Origins ofSetup() {
        var moved = new HashMap<String, Origin>();
        byPointer.forEach((pointer, origin) -> {
            if (pointer.startsWith(SETUP)) {
                moved.put(pointer.substring(SETUP.length()), origin);
            } else if (!REPLACED.contains(pointer.replaceFirst("^(/[^/]*).*", "$1"))) {
                moved.put(pointer, origin);
            }
        });
        at(SETUP).ifPresent(origin -> REPLACED.forEach(pointer -> moved.putIfAbsent(pointer, origin)));
        at("").ifPresent(origin -> moved.put("", origin));
        return new Origins(moved);
    }

    /// The place of a rule that is named for its position, e.g. `net.hosts[2]`; empty for built-in rules.
    public Optional<Origin> of(RuleId rule) {
        return rule.value().indexOf(':') >= 0 ? Optional.empty() : at(pointer(rule.value()));
    }

    /// `net.hosts[2].paths` as a pointer: `/net/hosts/2/paths`.
    public static String pointer(String dotted) {
        return "/" + dotted.replace("]", "").replace('[', '/').replace('.', '/');
    }
}
