package dev.cagewright.policy.document;

import java.util.List;
import java.util.Optional;

/// One policy file. In the cage's own policy an absent section is silence, and silence is denial; in an
/// organisation's or a user's file it is no opinion. An empty list grants nothing in either.
///
/// @param tool the cage's name; absent in files that speak for many cages
/// @param command what runs when the caller names no program; not empty when present
/// @param phases what runs before; everything else but `net` holds then, too
public record PolicyDocument(
        Optional<CageName> tool,
        Optional<Isolation> minIsolation,
        Optional<Mode> mode,
        Optional<List<String>> command,
        Optional<FsSection> fs,
        Optional<NetSection> net,
        Optional<List<Credential>> credentials,
        Optional<ExecSection> exec,
        Optional<ApprovalSection> approval,
        Optional<Resources> resources,
        Optional<InspectSection> inspect,
        Optional<CaptureSection> capture,
        Optional<Phases> phases,
        Origins origins) {

    /// A file with nothing in it: no opinion, or, as a cage's own policy, denial of everything but plain argv.
    public static final PolicyDocument EMPTY = new PolicyDocument(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Origins.NONE);

    public PolicyDocument {
        command = command.map(List::copyOf);
        credentials = credentials.map(List::copyOf);
    }

    /// What holds during the set-up: the set-up's network in the place of the usual one. A document without phases
    /// says the same in both.
    public PolicyDocument duringSetup() {
        return phases.map(Phases::setup)
                .map(setup -> with(
                        Optional.of(setup.command()),
                        Optional.of(setup.over(net)),
                        Optional.empty(),
                        origins.ofSetup()))
                .orElse(this);
    }

    /// The same, with the places of its lines.
    public PolicyDocument withOrigins(Origins places) {
        return with(command, net, phases, places);
    }

    /// The same with other credentials.
    public PolicyDocument withCredentials(Optional<List<Credential>> others) {
        return new PolicyDocument(
                tool,
                minIsolation,
                mode,
                command,
                fs,
                net,
                others,
                exec,
                approval,
                resources,
                inspect,
                capture,
                phases,
                origins);
    }

    private PolicyDocument with(
            Optional<List<String>> words, Optional<NetSection> network, Optional<Phases> before, Origins places) {
        return new PolicyDocument(
                tool,
                minIsolation,
                mode,
                words,
                fs,
                network,
                credentials,
                exec,
                approval,
                resources,
                inspect,
                capture,
                before,
                places);
    }
}
