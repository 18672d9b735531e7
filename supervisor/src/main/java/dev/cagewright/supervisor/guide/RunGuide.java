package dev.cagewright.supervisor.guide;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Mount;
import java.util.ArrayList;
import java.util.List;

/// The guide of one run: a file of the cage alone at [#PLACE], which can only be read, and the variable [#VARIABLE]
/// that
/// names it. A place where the policy itself mounts something is left as the policy has it.
///
/// @param guide what it says
public record RunGuide(AgentsGuide guide) {
    /// Where the cage finds it.
    public static final GuestPath PLACE = new GuestPath("/run/cagewright/AGENTS.md");

    /// The variable that says so.
    public static final String VARIABLE = "CAGEWRIGHT_AGENTS_MD";

    /// `spec` with the file mounted.
    public CageSpec over(CageSpec spec) {
        if (isTaken(spec)) {
            return spec;
        }
        var all = new ArrayList<>(spec.mounts());
        all.add(new Mount(PLACE, new Mount.Text(ByteString.of(guide.text())), Access.READ_ONLY));
        return spec.withMounts(List.copyOf(all));
    }

    private static boolean isTaken(CageSpec spec) {
        return spec.mounts().stream()
                .anyMatch(mount -> mount.at().equals(PLACE)
                        || PLACE.value().startsWith(mount.at().value() + "/"));
    }

    /// `launch` with the variable set, in a cage made of `spec`.
    ///
    /// @param spec as it is before [#over(CageSpec)]
    public Launch over(Launch launch, CageSpec spec) {
        if (isTaken(spec)) {
            return launch;
        }
        var block = new ArrayList<>(launch.environment());
        block.removeIf(entry -> entry.latin1().startsWith(VARIABLE + "="));
        block.add(ByteString.of(VARIABLE + "=" + PLACE));
        return launch.withEnvironment(List.copyOf(block));
    }
}
