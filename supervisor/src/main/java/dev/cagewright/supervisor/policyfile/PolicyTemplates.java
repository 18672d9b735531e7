package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.document.CageName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Policies for a person to start from.
public final class PolicyTemplates {
    private static final String COMMENTED = "commented.yaml";
    private static final String USUAL = "usual.yaml";
    private static final String NAME = "@NAME@";

    private PolicyTemplates() {}

    /// A policy that grants nothing, with every section as a comment that can be uncommented. Ends in a line feed.
    public static String commented(CageName name) {
        return resource(COMMENTED).replace(NAME, FlowText.YAML.text(name.value()));
    }

    /// What a run is under that names no policy: the folder it runs in, and no network.
    public static String usual() {
        return resource(USUAL);
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(
                PolicyTemplates.class.getResourceAsStream(name), "template: " + name + " (expected: in the jar)")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("template: " + name + " (expected: readable in the jar)", e);
        }
    }
}
