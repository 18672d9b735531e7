package dev.cagewright.supervisor.net;

import dev.cagewright.egress.inspect.Inspection;
import dev.cagewright.egress.inspect.Inspector;
import dev.cagewright.egress.inspect.InspectorJar;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// The inspectors that a policy in force asks for, and what becomes of it meanwhile: of each, the stricter. Jars that
/// it names are read when they are first named. Safe for all threads.
final class Inspectors implements Supplier<Inspection> {
    private final InspectSection section;
    private final Map<String, List<Inspector>> jars;
    private final Set<HostName> spelt;
    private volatile Inspection inspection;

    private Inspectors(InspectSection section, Map<String, List<Inspector>> jars, Set<HostName> spelt) {
        this.section = section;
        this.jars = jars;
        this.spelt = spelt;
        this.inspection = made(section, jars, spelt);
    }

    private static Inspection made(InspectSection section, Map<String, List<Inspector>> jars, Set<HostName> spelt) {
        return Inspection.of(
                section, jars.values().stream().flatMap(List::stream).toList(), spelt::contains);
    }

    /// @throws ConfinementException if a jar cannot be used
    static Inspectors of(NetTerms terms) throws ConfinementException {
        var jars = new LinkedHashMap<String, List<Inspector>>();
        for (String jar : named(terms.policy())) {
            jars.put(jar, read(jar));
        }
        return new Inspectors(terms.policy().inspect(), jars, spelt(terms.policy()));
    }

    /// What holds now.
    @Override
    public Inspection get() {
        return inspection;
    }

    /// What holds when `changed` does too, beside what held at the start.
    ///
    /// @throws IOException if a jar cannot be used
    Inspection with(EffectivePolicy changed) throws IOException {
        var all = new LinkedHashMap<>(jars);
        for (String jar : named(changed)) {
            if (!all.containsKey(jar)) {
                try {
                    all.put(jar, read(jar));
                } catch (ConfinementException e) {
                    throw new IOException(e.getMessage(), e);
                }
            }
        }
        var names = spelt(changed);
        names.retainAll(spelt);
        return made(section.and(changed.inspect()), all, names);
    }

    /// Takes effect with the next request.
    void became(Inspection changed) {
        inspection = changed;
    }

    private static List<String> named(EffectivePolicy policy) {
        return policy.layers().stream()
                .flatMap(layer -> layer.document().inspect().stream())
                .flatMap(asked -> asked.custom().stream())
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private static List<Inspector> read(String jar) throws ConfinementException {
        try (var in = Files.newInputStream(Path.of(jar))) {
            var bytes = in.readNBytes(InspectorJar.MOST + 1);
            if (bytes.length > InspectorJar.MOST) {
                throw new IOException("it is larger than " + InspectorJar.MOST + " bytes");
            }
            return InspectorJar.load(bytes);
        } catch (IOException e) {
            var refusal = new ConfinementException(
                    "inspect",
                    "custom: " + jar,
                    e.getMessage() == null ? e.toString() : e.getMessage(),
                    "mend the jar");
            refusal.initCause(e);
            throw refusal;
        }
    }

    /// The names that a rule spells out, letter for letter.
    private static Set<HostName> spelt(EffectivePolicy policy) {
        var names = new HashSet<HostName>();
        for (var layer : policy.layers()) {
            var net = layer.document().net();
            for (var rule : net.flatMap(NetSection::hosts).orElse(List.of())) {
                if (rule.target() instanceof HostRule.Target.Host(String pattern) && pattern.indexOf('*') < 0) {
                    names.add(new HostName(pattern));
                }
            }
            net.ifPresent(section -> section.aliases().values().forEach(host -> names.add(new HostName(host))));
        }
        return names;
    }
}
