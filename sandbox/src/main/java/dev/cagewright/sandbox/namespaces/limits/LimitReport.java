package dev.cagewright.sandbox.namespaces.limits;

import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Enforcement.Enforced;
import dev.cagewright.sandbox.Enforcement.Gap;
import dev.cagewright.sandbox.ExecRights;
import dev.cagewright.sandbox.Limits;
import java.util.ArrayList;
import java.util.List;

/// Says what holds for a cage: what the control groups took, what the process limits take over, and what is
/// left open.
public final class LimitReport {
    private static final int SCOPES = 1;
    private static final String DELEGATE =
            "let this user have a control group: systemd-run --user --scope -p Delegate=yes, or run as root";

    private final CageSpec spec;
    private final CageGroups groups;
    private final List<Enforced> enforced = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();

    private LimitReport(CageSpec spec, CageGroups groups) {
        this.spec = spec;
        this.groups = groups;
    }

    /// Reports on one cage.
    ///
    /// @param readiness bits of `enum ready` in `wire.h`
    public static Enforcement of(CageSpec spec, CageGroups groups, long readiness) {
        var report = new LimitReport(spec, groups);
        report.addLayers(readiness);
        report.addOwn();
        report.addProcesses();
        report.addMemory();
        report.addCpus();
        return new Enforcement(report.enforced, report.gaps);
    }

    private void addLayers(long readiness) {
        hold("namespaces", "clone", "user mount pid net ipc uts cgroup");
        hold("seccomp", "filter", "native architecture, no set-id modes");
        boolean scoped = (readiness & SCOPES) != 0;
        hold("landlock", "ruleset", scoped ? "files, signals, abstract sockets" : "files");
        if (spec.exec() instanceof ExecRights.Only(var paths)) {
            hold("exec", "Landlock execute rights; no executable memory files", paths.size() + " paths");
        }
    }

    private void addOwn() {
        var limits = spec.limits();
        if (limits.wall().compareTo(Limits.NO_END) < 0) {
            hold("wall", "supervisor's clock", limits.wall().toString());
        }
        if (limits.outputBytes() != Limits.UNBOUNDED) {
            hold("output", "supervisor", limits.outputBytes() + " bytes");
        }
        hold("disk", "tmpfs size", limits.disk() + " bytes");
        hold("core", "RLIMIT_CORE", "0");
        holdResource("open files", "RLIMIT_NOFILE", limits.openFiles(), "Max open files");
        if (limits.fileSize() != Limits.UNBOUNDED) {
            holdResource("file size", "RLIMIT_FSIZE", limits.fileSize(), "Max file size");
        }
    }

    private void addProcesses() {
        var byGroup = groups.enforced().get("processes");
        if (byGroup != null) {
            enforced.add(byGroup);
        } else {
            holdResource(
                    "processes",
                    "RLIMIT_NPROC in the cage's own user namespace",
                    spec.limits().processes(),
                    "Max processes");
        }
    }

    private void addMemory() {
        var byGroup = groups.enforced().get("memory");
        long bytes = spec.limits().memoryBytes();
        if (byGroup != null) {
            enforced.add(byGroup);
        } else if (bytes != Limits.UNBOUNDED) {
            hold("memory", "RLIMIT_DATA a process; the sum sampled five times a second", bytes + " bytes");
            gaps.add(new Gap("memory", "no control group: all processes together can pass it for a moment", DELEGATE));
        }
    }

    private void addCpus() {
        var byGroup = groups.enforced().get("cpus");
        if (byGroup != null) {
            enforced.add(byGroup);
        } else if (spec.limits().cpus() != Limits.ALL_CPUS) {
            gaps.add(new Gap("cpus", "no control group: all processors can be used", DELEGATE));
        }
    }

    private void hold(String limit, String mechanism, String value) {
        enforced.add(new Enforced(limit, mechanism, value));
    }

    private void holdResource(String limit, String mechanism, long requested, String inherited) {
        hold(limit, mechanism, Long.toString(Math.min(requested, InheritedLimits.soft(inherited))));
    }
}
