package dev.cagewright.sandbox.namespaces;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.ExecRights;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.namespaces.limits.CageGroups;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import dev.cagewright.sandbox.namespaces.tree.FileTree;
import dev.cagewright.sandbox.namespaces.tree.Payload;
import java.util.List;

/// A specification as the helper reads it.
///
/// @param payload the mirror of `read_cage()` in `request.c`
record CageRequest(CageUser user, Payload payload) {
    /// Written where the kernel shall not be asked: all bits set.
    private static final long NO_LIMIT = -1;

    /// The cage's first process counts too.
    private static final int OWN_PROCESSES = 1;

    static CageRequest of(CageSpec spec, CageUser user, CageGroups groups) throws ConfinementException {
        var payload = new Payload()
                .number(user.uid())
                .number(user.gid())
                .number(spec.netCell() == CageSpec.NetAccess.REQUESTED ? 1 : 0)
                .text(ByteString.of(spec.hostname()));
        writeLimits(payload, spec.limits(), groups);
        var tree = FileTree.of(spec, user);
        payload.number(tree.size());
        tree.forEach(entry -> entry.writeTo(payload));
        writeExec(payload, spec.exec());
        return new CageRequest(user, payload);
    }

    /// A memory limit for each process stands in where no control group counts them together.
    private static void writeLimits(Payload payload, Limits limits, CageGroups groups) {
        long data = groups.holdsMemory() ? NO_LIMIT : orNone(limits.memoryBytes());
        payload.size((long) limits.processes() + OWN_PROCESSES)
                .size(limits.openFiles())
                .size(orNone(limits.fileSize()))
                .size(data)
                .size(limits.disk());
    }

    private static long orNone(long bytes) {
        return bytes == Limits.UNBOUNDED ? NO_LIMIT : bytes;
    }

    private static void writeExec(Payload payload, ExecRights rights) {
        var named = switch (rights) {
            case ExecRights.Everything _ -> List.<ByteString>of();
            case ExecRights.Only(var paths) -> paths;
        };
        payload.number(rights instanceof ExecRights.Only ? 1 : 0).number(named.size());
        named.forEach(payload::text);
    }
}
