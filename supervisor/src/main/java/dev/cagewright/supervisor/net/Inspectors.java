package dev.cagewright.supervisor.net;

import dev.cagewright.egress.inspect.Inspection;
import dev.cagewright.egress.inspect.Inspector;
import dev.cagewright.egress.inspect.InspectorJar;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The inspectors that a policy in force asks for. Jars that it names are read when they are made.
final class Inspectors {
    private Inspectors() {}

    /// @throws ConfinementException if a jar cannot be used
    static Inspection of(NetTerms terms) throws ConfinementException {
        var own = new ArrayList<Inspector>();
        for (var layer : terms.policy().layers()) {
            var jars = layer.document()
                    .inspect()
                    .flatMap(section -> section.custom())
                    .orElse(List.of());
            for (String jar : jars) {
                own.addAll(read(jar));
            }
        }
        return Inspection.of(terms.policy().inspect(), own, spelt(terms)::contains);
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
    private static Set<HostName> spelt(NetTerms terms) {
        var names = new HashSet<HostName>();
        for (var layer : terms.policy().layers()) {
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
