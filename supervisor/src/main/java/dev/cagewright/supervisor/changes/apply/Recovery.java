package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.supervisor.changes.CopyTrees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Finishes or undoes what an interrupted application left half done: the names that stand aside. Every step of it
/// may be interrupted too.
final class Recovery {
    private final CopyTrees trees;

    Recovery(CopyTrees trees) {
        this.trees = trees;
    }

    /// What it did, each one sentence.
    List<String> recover(List<PlannedAct> acts) throws IOException {
        var told = new ArrayList<String>();
        for (PlannedAct act : acts) {
            var folder = trees.hostFolder(act.path().parent());
            if (folder.isPresent()) {
                try (var open = folder.get()) {
                    recover(act, open, told);
                }
            }
        }
        return told;
    }

    private static void recover(PlannedAct act, HostFolder folder, List<String> told) throws IOException {
        var aside = folder.look(act.aside());
        if (aside.isEmpty() || aside.get().isFolder()) {
            return;
        }
        if (act.isWhatWas(aside.get())) {
            folder.remove(act.aside());
            told.add(act.path() + ": was being changed when it was interrupted; the change is finished");
        } else if (act.isObjectThatWas(aside.get())) {
            putBack(act, folder);
            told.add(act.path() + ": the host had changed it when it was interrupted; what the host had is back");
        } else if (act.kind() == PlannedAct.Kind.PUT) {
            folder.remove(act.aside());
            told.add(act.path() + ": was being written aside when it was interrupted; nothing of it is left");
        } else {
            putBack(act, folder);
            told.add(act.path() + ": another object stood there when it was interrupted; it is back");
        }
        folder.flush();
    }

    private static void putBack(PlannedAct act, HostFolder folder) throws IOException {
        var moved = folder.moveTo(act.aside(), folder, act.path().name());
        if (moved == HostFolder.Move.TARGET_EXISTS
                && act.kind() == PlannedAct.Kind.PUT
                && folder.exchange(act.aside(), act.path().name()) == HostFolder.Move.DONE) {
            folder.remove(act.aside());
        }
    }
}
