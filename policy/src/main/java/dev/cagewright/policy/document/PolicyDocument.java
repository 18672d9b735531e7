package dev.cagewright.policy.document;

import dev.cagewright.policy.mcp.McpSection;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// One policy file. In the cage's own policy an absent section is silence, and silence is denial; in an
/// organisation's or a user's file it is no opinion. An empty list grants nothing in either.
///
/// @param tool the cage's name; absent in files that speak for many cages
/// @param command what runs when the caller names no program; not empty when present
/// @param mcp what may be had of a server of the Model Context Protocol
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
        Optional<McpSection> mcp,
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
            Optional.empty(),
            Origins.NONE);

    public PolicyDocument {
        command = command.map(List::copyOf);
        credentials = credentials.map(List::copyOf);
    }

    /// What holds during the set-up: the set-up's network in the place of the usual one. A document without phases
    /// says the same in both.
    public PolicyDocument duringSetup() {
        return phases.map(Phases::setup).map(this::during).orElse(this);
    }

    private PolicyDocument during(Phases.Setup setup) {
        var changed = new Change(this);
        changed.command = Optional.of(setup.command());
        changed.net = Optional.of(setup.over(net));
        changed.phases = Optional.empty();
        changed.origins = origins.ofSetup();
        return changed.done();
    }

    /// The same, with the places of its lines.
    public PolicyDocument withOrigins(Origins places) {
        var changed = new Change(this);
        changed.origins = places;
        return changed.done();
    }

    /// The same with other tools of servers.
    public PolicyDocument withMcp(McpSection other) {
        var changed = new Change(this);
        changed.mcp = Optional.of(other);
        return changed.done();
    }

    /// The same with other credentials.
    public PolicyDocument withCredentials(Optional<List<Credential>> others) {
        var changed = new Change(this);
        changed.credentials = others;
        return changed.done();
    }

    /// The same with these ports of the cage published, too; without any, the same.
    public PolicyDocument publishing(List<Integer> ports) {
        if (ports.isEmpty()) {
            return this;
        }
        var changed = new Change(this);
        changed.net = Optional.of(net.orElse(NetSection.SILENT).publishing(ports));
        return changed.done();
    }

    /// The same with more places of the file system, and more variables that the caller may pass in.
    public PolicyDocument with(List<Mount> mounts, Collection<String> variables) {
        var changed = new Change(this);
        changed.fs = Optional.of(
                fs.orElse(new FsSection(Optional.empty(), List.of(), List.of())).with(mounts));
        changed.exec = Optional.of(
                exec.orElse(new ExecSection(Optional.empty(), Optional.empty())).with(variables));
        return changed.done();
    }

    /// The same as it is while somebody learns what it lacks: hosts that it does not list and tools of MCP servers that
    /// it
    /// does not name are let through and recorded. Everything else holds as before, the set-up's network too.
    public PolicyDocument observing() {
        var changed = new Change(this);
        changed.mode = Optional.of(Mode.OBSERVE);
        changed.net = Optional.of(net.orElse(NetSection.CLOSED).observing());
        changed.mcp = Optional.of(mcp.orElse(McpSection.SILENT).observing());
        return changed.done();
    }

    /// A document that is another but for what is set here.
    private static final class Change {
        private final PolicyDocument from;
        private Optional<Mode> mode;
        private Optional<List<String>> command;
        private Optional<FsSection> fs;
        private Optional<NetSection> net;
        private Optional<List<Credential>> credentials;
        private Optional<ExecSection> exec;
        private Optional<Phases> phases;
        private Optional<McpSection> mcp;
        private Origins origins;

        Change(PolicyDocument from) {
            this.from = from;
            this.mode = from.mode;
            this.command = from.command;
            this.fs = from.fs;
            this.net = from.net;
            this.credentials = from.credentials;
            this.exec = from.exec;
            this.phases = from.phases;
            this.mcp = from.mcp;
            this.origins = from.origins;
        }

        PolicyDocument done() {
            return new PolicyDocument(
                    from.tool,
                    from.minIsolation,
                    mode,
                    command,
                    fs,
                    net,
                    credentials,
                    exec,
                    from.approval,
                    from.resources,
                    from.inspect,
                    from.capture,
                    phases,
                    mcp,
                    origins);
        }
    }
}
