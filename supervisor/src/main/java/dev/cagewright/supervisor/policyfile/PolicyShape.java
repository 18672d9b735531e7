package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.CaptureSection;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.HidePattern;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.Origins;
import dev.cagewright.policy.document.Phases;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.mcp.McpSection;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.Cpus;
import dev.cagewright.policy.quantity.Field;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.policyfile.shape.Group;
import dev.cagewright.supervisor.policyfile.shape.GroupKey;
import dev.cagewright.supervisor.policyfile.shape.GroupValues;
import dev.cagewright.supervisor.policyfile.shape.ListShape;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape;
import java.util.List;

/// Every key of a policy file: its name, what may stand there, one sentence about it. Binding and schema both
/// follow it.
final class PolicyShape {
    private static final GroupKey<GuestPath> PATH = GroupKey.required(
            "path",
            ScalarShape.text("an absolute path inside the cage", "^/", Mount::target),
            "Where it stands in the cage.");
    private static final GroupKey<Mount.Access> ACCESS = GroupKey.optional(
            "mode", ScalarShape.word(List.of("ro", "rw"), Mount.Access::parse), "ro (the default) or rw.");
    private static final GroupKey<Mount.Source> SOURCE = GroupKey.optional(
            "source",
            ScalarShape.text(
                    "session-copy, tmpfs or an absolute host path", "^(session-copy|tmpfs|/.*)$", Mount.Source::parse),
            "session-copy for a copy of the workspace, tmpfs for fresh memory, or an absolute host path; absent means"
                    + " the same path of the host, and for /workspace the workspace itself.");

    private static final Group<Mount> MOUNT =
            Group.of("a mapping with path", List.of(PATH, ACCESS, SOURCE), PolicyShape::mount);

    private static final GroupKey<List<Mount>> MOUNTS = GroupKey.optional(
            "mounts", new ListShape<>("a list of mounts", MOUNT), "What stands in the cage, and where.");
    private static final GroupKey<String> PROTECT = GroupKey.optional(
            "protect",
            ScalarShape.word(List.of("default"), (_, text) -> text),
            "default: hooks, agent and editor configuration, shell start-up files and keys stay out of reach.");
    private static final GroupKey<List<String>> WAIVE = GroupKey.optional(
            "waive",
            new ListShape<>(
                    "a list of protected groups",
                    ScalarShape.text(
                            "a protected group such as git-hooks", "^[a-z0-9][a-z0-9-]{0,62}$", (_, text) -> text)),
            "Protected groups that are lifted, by name.");
    private static final GroupKey<List<HidePattern>> HIDE = GroupKey.optional(
            "hide",
            new ListShape<>(
                    "a list of paths",
                    ScalarShape.text("an absolute path, or **/name", "^(/[^*]*|\\*\\*/[^*/]+)$", HidePattern::parse)),
            "What cannot be seen at all: an absolute path, or **/name for that name anywhere.");

    private static final Group<FsSection> FS = Group.of(
            "a mapping with mounts, protect, waive or hide",
            List.of(MOUNTS, PROTECT, WAIVE, HIDE),
            values -> new FsSection(
                    values.find(MOUNTS),
                    values.find(WAIVE).orElse(List.of()),
                    values.find(HIDE).orElse(List.of())));

    private static final GroupKey<List<String>> ALLOWLIST = GroupKey.optional(
            "allowlist",
            new ListShape<>(
                    "a list of programs",
                    ScalarShape.text(
                            "a program such as git",
                            "^([A-Za-z0-9_\\[][A-Za-z0-9_.+@\\[-]{0,254}|/.+)$",
                            ExecSection::program)),
            "The only programs that may start, by name or absolute path; [] lets nothing start.");
    private static final GroupKey<List<String>> EXEC_ENV = GroupKey.optional(
            "env",
            new ListShape<>(
                    "a list of environment variables",
                    ScalarShape.text(
                            "an environment variable", "^[A-Za-z_][A-Za-z0-9_]{0,127}$", ExecSection::variable)),
            "Environment variables that the caller may pass in.");

    private static final Group<ExecSection> EXEC = Group.of(
            "a mapping with allowlist or env",
            List.of(ALLOWLIST, EXEC_ENV),
            values -> new ExecSection(values.find(ALLOWLIST), values.find(EXEC_ENV)));

    private static final GroupKey<TimeSpan> PATIENCE =
            GroupKey.optional("timeout", Quantities.TIME, "How long an answer is awaited; silence is denial.");
    private static final GroupKey<List<ApprovalSection.Condition>> REQUIRE_FOR = GroupKey.optional(
            "require_for",
            new ListShape<>("a list of conditions", ConditionShape.CONDITION),
            "Actions a person has to agree to.");

    private static final Group<ApprovalSection> APPROVAL = Group.of(
            "a mapping with timeout or require_for",
            List.of(PATIENCE, REQUIRE_FOR),
            values -> new ApprovalSection(
                    values.find(PATIENCE), values.find(REQUIRE_FOR).orElse(List.of())));

    private static final GroupKey<Cpus> CPUS =
            GroupKey.optional("cpus", Quantities.CPUS, "How much of the machine's processors.");
    private static final GroupKey<ByteSize> MEMORY = GroupKey.optional("memory", Quantities.SIZE, "The most memory.");
    private static final GroupKey<Count> PROCESSES =
            GroupKey.optional("processes", Quantities.COUNT, "How many processes and threads at once.");
    private static final GroupKey<TimeSpan> TIMEOUT =
            GroupKey.optional("timeout", Quantities.TIME, "Wall time of the run.");
    private static final GroupKey<ByteSize> OUTPUT =
            GroupKey.optional("output", Quantities.SIZE, "The most of standard output and error together.");
    private static final GroupKey<ByteSize> DISK =
            GroupKey.optional("disk", Quantities.SIZE, "The most the run may write.");
    private static final GroupKey<Count> FILES =
            GroupKey.optional("files", Quantities.COUNT, "How many files it may create.");

    private static final Group<Resources> RESOURCES = Group.of(
            "a mapping with cpus, memory, processes, timeout, output, disk or files",
            List.of(CPUS, MEMORY, PROCESSES, TIMEOUT, OUTPUT, DISK, FILES),
            values -> new Resources(
                    values.find(CPUS),
                    values.find(MEMORY),
                    values.find(PROCESSES),
                    values.find(TIMEOUT),
                    values.find(OUTPUT),
                    values.find(DISK),
                    values.find(FILES)));

    private static final GroupKey<CaptureSection.Har> HAR = GroupKey.optional(
            "har",
            ScalarShape.flag(CaptureSection.Har.ON, CaptureSection.Har.OFF),
            "true writes exchanges as HAR 1.2.");
    private static final GroupKey<ByteSize> KEPT_BODY =
            GroupKey.optional("body", Quantities.SIZE, "The most of each body that is kept; absent means none.");

    private static final Group<CaptureSection> CAPTURE = Group.of(
            "a mapping with har or body",
            List.of(HAR, KEPT_BODY),
            values -> new CaptureSection(values.find(HAR).orElse(CaptureSection.Har.OFF), values.find(KEPT_BODY)));

    private static final GroupKey<CageName> TOOL = GroupKey.optional(
                    "tool",
                    ScalarShape.text(
                            "a name of letters, digits, '.', '_' and '-'",
                            "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
                            (_, text) -> new CageName(text)),
                    "The cage's name.")
            .alsoNamed("name");
    private static final GroupKey<Isolation> MIN_ISOLATION = GroupKey.optional(
            "min_isolation",
            ScalarShape.word(
                    List.of("process", "namespaces", "gvisor", "microvm", "tier0", "tier1", "tier2", "firecracker"),
                    Isolation::parse),
            "The weakest isolation this cage may run in; a host that cannot give it refuses.");
    private static final GroupKey<Mode> MODE = GroupKey.optional(
            "mode",
            ScalarShape.word(List.of("observe", "enforce", "lockdown"), Mode::parse),
            "What a denial does beyond being one.");
    private static final ListShape<String> WORDS = new ListShape<>(
            "a program and its arguments", ScalarShape.text("an argument", "^", PolicyShape::argument), 1);
    private static final GroupKey<List<String>> COMMAND =
            GroupKey.optional("command", WORDS, "What runs when the caller names no program.");
    private static final GroupKey<FsSection> FS_KEY = GroupKey.optional("fs", FS, "The file system inside the cage.");
    private static final GroupKey<NetSection> NET_KEY =
            GroupKey.optional("net", NetShape.NET, "Where the cage may go.");
    private static final GroupKey<List<Credential>> CREDENTIALS = GroupKey.optional(
            "credentials", NetShape.CREDENTIALS, "Secrets by name, and where each may go; never their values.");
    private static final GroupKey<ExecSection> EXEC_KEY = GroupKey.optional("exec", EXEC, "Which programs may start.");
    private static final GroupKey<ApprovalSection> APPROVAL_KEY =
            GroupKey.optional("approval", APPROVAL, "What a person has to agree to first.");
    private static final GroupKey<Resources> RESOURCES_KEY =
            GroupKey.optional("resources", RESOURCES, "The most a run may use.");
    private static final GroupKey<InspectSection> INSPECT_KEY =
            GroupKey.optional("inspect", InspectShape.INSPECT, "What is looked for in opened traffic.");
    private static final GroupKey<CaptureSection> CAPTURE_KEY =
            GroupKey.optional("capture", CAPTURE, "What is kept of the traffic.");

    private static final GroupKey<List<String>> SETUP_COMMAND =
            GroupKey.required("command", WORDS, "What runs first, in a cage of its own on the same files.");
    private static final GroupKey<NetSection> SETUP_NET = GroupKey.optional(
            "net", NetShape.SETUP_NET, "Where the set-up may go, instead of net; absent means nowhere.");
    private static final GroupKey<Phases.Setup> SETUP = GroupKey.required(
            "setup",
            Group.of(
                    "a mapping with command and net",
                    List.of(SETUP_COMMAND, SETUP_NET),
                    values -> new Phases.Setup(values.get(SETUP_COMMAND), values.find(SETUP_NET))),
            "What has to go well before the program runs, e.g. fetching packages.");
    private static final GroupKey<Phases> PHASES_KEY = GroupKey.optional(
            "phases",
            Group.of("a mapping with setup", List.of(SETUP), values -> new Phases(values.get(SETUP))),
            "What runs before the program, with a network of its own.");

    private static final GroupKey<McpSection> MCP_KEY = GroupKey.optional(
            "mcp", McpShape.MCP, "Which tools of MCP servers may be called, with what, and what may come back.");

    /// The whole file; the document's origins are those of none.
    static final Group<PolicyDocument> POLICY = Group.of(
            "a mapping with keys such as tool, fs, net and exec",
            List.of(
                    TOOL,
                    MIN_ISOLATION,
                    MODE,
                    COMMAND,
                    FS_KEY,
                    NET_KEY,
                    CREDENTIALS,
                    EXEC_KEY,
                    APPROVAL_KEY,
                    RESOURCES_KEY,
                    INSPECT_KEY,
                    CAPTURE_KEY,
                    PHASES_KEY,
                    MCP_KEY),
            PolicyShape::document);

    private PolicyShape() {}

    private static PolicyDocument document(GroupValues values) {
        return new PolicyDocument(
                values.find(TOOL),
                values.find(MIN_ISOLATION),
                values.find(MODE),
                values.find(COMMAND),
                values.find(FS_KEY),
                values.find(NET_KEY),
                values.find(CREDENTIALS),
                values.find(EXEC_KEY),
                values.find(APPROVAL_KEY),
                values.find(RESOURCES_KEY),
                values.find(INSPECT_KEY),
                values.find(CAPTURE_KEY),
                values.find(PHASES_KEY),
                values.find(MCP_KEY),
                Origins.NONE);
    }

    private static Mount mount(GroupValues values) {
        var path = values.get(PATH);
        return new Mount(
                path,
                values.find(ACCESS).orElse(Mount.Access.RO),
                values.find(SOURCE).orElseGet(() -> new Mount.Source.HostPath(path.value())));
    }

    private static String argument(String field, String text) {
        if (text.indexOf('\0') >= 0) {
            throw Field.refusal(field, text, "no NUL character, which no argument can hold");
        }
        return text;
    }
}
