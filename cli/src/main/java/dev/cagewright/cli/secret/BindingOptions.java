package dev.cagewright.cli.secret;

import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.secrets.store.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a secret may go.
final class BindingOptions {
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--use-with",
            split = ",",
            paramLabel = "HOST",
            description = "A host that it may be sent to; may be given several times. In its subdomains: *.HOST")
    private List<String> hosts = new ArrayList<>();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--in",
            split = ",",
            paramLabel = "PLACE",
            description = "header, query, path or body; the header if none is given. May be given several times.")
    private List<String> places = new ArrayList<>();

    @Option(names = "--env", paramLabel = "VARIABLE", description = "The variable for the decoy; NAME by default.")
    private @Nullable String variable;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--prepare",
            split = ",",
            paramLabel = "FILE",
            description =
                    "netrc, npmrc, pip or git: a file in the cage's home, or git's helper, that has the decoy for those hosts.")
    private List<String> files = new ArrayList<>();

    boolean areGiven() {
        return !files.isEmpty() || !hosts.isEmpty() || !places.isEmpty() || variable != null;
    }

    /// What is given over what was there.
    ///
    /// @throws IllegalArgumentException naming what is no host, place or variable
    Binding over(String name, Binding before) {
        hosts.forEach(host -> HostPattern.parse("--use-with", host));
        places.forEach(place -> Credential.Place.parse("--in", place));
        files.forEach(file -> Credential.Prepared.parse("--prepare", file));
        var env = Optional.ofNullable(variable).or(before::env);
        var _ = new Credential(name, env, hosts, Optional.empty());
        return new Binding(
                hosts.isEmpty() ? before.useWith() : hosts,
                places.isEmpty() ? before.in() : places,
                env,
                files.isEmpty() ? before.prepare() : files);
    }
}
