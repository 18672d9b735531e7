package dev.cagewright.bench;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/// One decision, in process: percentiles of single calls (the two clock readings of a sample included), average of
/// many calls, and bytes allocated for each.
///
/// A third of the rules name hosts of their own with methods and paths, a third share one host and differ in their
/// paths, a third are wildcards with `*` and `**`.
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
@Fork(1)
public class DecisionBench {
    @Param({"10", "1000", "10000"})
    public int rules;

    private static final int VARIETY = 256;

    private CompiledPolicy policy;
    private Action[] allowed;
    private Action[] denied;
    private Action[] files;
    private Action.ProcExec program;
    private int next;

    @Setup(Level.Trial)
    public void compile() throws BadPolicyException {
        policy = CompiledPolicy.compile(document());
        allowed = new Action[VARIETY];
        denied = new Action[VARIETY];
        files = new Action[VARIETY];
        for (int i = 0; i < VARIETY; i++) {
            int rule = (int) ((long) i * 7919 % rules);
            allowed[i] = allowedBy(rule);
            denied[i] =
                    new Action.HttpRequest("GET", new HostName("host-" + i + ".elsewhere.test"), 443, "/v1/items/" + i);
            files[i] = new Action.FsWrite(new GuestPath("/workspace/src/module" + i + "/Main.java"));
            requireKind(Decision.Allow.class, allowed[i]);
            requireKind(Decision.Deny.class, denied[i]);
            requireKind(Decision.Allow.class, files[i]);
        }
        program = new Action.ProcExec(
                List.of(ByteString.of("git"), ByteString.of("commit"), ByteString.of("-m"), ByteString.of("message")),
                new GuestPath("/workspace"));
        requireKind(Decision.Allow.class, program);
    }

    private void requireKind(Class<? extends Decision> kind, Action action) {
        if (!kind.isInstance(policy.judge(action))) {
            throw new IllegalStateException(action + ": " + policy.judge(action));
        }
    }

    private PolicyDocument document() {
        var hosts = new ArrayList<HostRule>();
        for (int i = 0; i < rules; i++) {
            hosts.add(rule(i));
        }
        var net = new NetSection(Optional.empty(), Optional.empty(), Optional.of(hosts), Map.of(), Upstream.DIRECT);
        var mounts = List.of(
                new Mount(new GuestPath("/workspace"), Mount.Access.RW, new Mount.Source.SessionCopy()),
                new Mount(new GuestPath("/usr"), Mount.Access.RO, new Mount.Source.HostPath("/usr")));
        var empty = PolicyDocument.EMPTY;
        return new PolicyDocument(
                empty.tool(),
                empty.minIsolation(),
                empty.mode(),
                empty.command(),
                Optional.of(new FsSection(Optional.of(mounts), List.of(), List.of())),
                Optional.of(net),
                empty.credentials(),
                Optional.of(new ExecSection(Optional.of(List.of("git", "node", "npm", "python3")), Optional.empty())),
                empty.approval(),
                empty.resources(),
                empty.inspect(),
                empty.capture(),
                Optional.empty(),
                empty.mcp(),
                empty.origins());
    }

    private static HostRule rule(int i) {
        return switch (i % 3) {
            case 0 -> rule("api" + i + ".service.example.test", List.of("GET", "POST"), "/v1/items/**", "/health");
            case 1 -> rule("forge.example.test", List.of("GET"), "/repos/team" + i + "/app/**");
            default ->
                rule("*.zone" + i + ".example.test", List.of("GET", "PUT"), "/*/objects/**/data", "/static/*.json");
        };
    }

    private static HostRule rule(String host, List<String> methods, String... paths) {
        return new HostRule(
                new HostRule.Target.Host(host),
                Optional.of(methods),
                Optional.of(List.of(paths)),
                Optional.empty(),
                HostRule.Protocol.HTTP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    private static Action allowedBy(int i) {
        return switch (i % 3) {
            case 0 ->
                new Action.HttpRequest(
                        "POST", new HostName("api" + i + ".service.example.test"), 443, "/v1/items/42/parts");
            case 1 ->
                new Action.HttpRequest(
                        "GET", new HostName("forge.example.test"), 443, "/repos/team" + i + "/app/issues/7");
            default ->
                new Action.HttpRequest(
                        "PUT", new HostName("a.b.zone" + i + ".example.test"), 443, "/bucket/objects/x/y/data");
        };
    }

    private int next() {
        next = (next + 1) & (VARIETY - 1);
        return next;
    }

    @Benchmark
    @BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
    public Decision allowedRequest() {
        return policy.judge(allowed[next()]);
    }

    @Benchmark
    @BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
    public Decision deniedRequest() {
        return policy.judge(denied[next()]);
    }

    @Benchmark
    @BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
    public Decision fileWrite() {
        return policy.judge(files[next()]);
    }

    @Benchmark
    @BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
    public Decision programStart() {
        return policy.judge(program);
    }

    /// The cost of the sample itself.
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public Action nothing() {
        return allowed[next()];
    }

    /// Runs this class with the allocation profiler and leaves its figures: `decision.<rules>.<case>.p50`, `.p99`,
    /// `.mean`, `.bytes`.
    ///
    /// @throws RunnerException if a benchmark fails
    static void main(String... arguments) throws RunnerException, IOException {
        var figures = new Figures();
        var effort = Effort.of(arguments);
        var options = effort.options(DecisionBench.class).addProfiler(GCProfiler.class);
        if (effort == Effort.SHORT) {
            options.param("rules", "1000");
        }
        for (var result : new Runner(options.build()).run()) {
            var parameters = result.getParams();
            var label = result.getPrimaryResult().getLabel();
            var name = "decision." + parameters.getParam("rules") + "." + label;
            var times = result.getPrimaryResult().getStatistics();
            if (parameters.getMode() == Mode.SampleTime) {
                figures.put(name + ".p50", times.getPercentile(50));
                figures.put(name + ".p99", times.getPercentile(99));
            } else {
                figures.put(name + ".mean", times.getMean());
                figures.put(
                        name + ".bytes",
                        result.getSecondaryResults().get("gc.alloc.rate.norm").getScore());
            }
        }
        figures.write("decision");
    }
}
