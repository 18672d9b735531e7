package dev.cagewright.escape.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Who starts the product.
///
/// @param word for reports: `root` or `user`
/// @param uid numeric, also the group's; an account of that number need not exist
public record Person(String word, int uid) {
    /// Far from the accounts that systems hand out.
    private static final int ORDINARY_UID = 54_017;

    /// Everybody this test process may act as: root and an ordinary user, or only itself.
    public static List<Person> present() {
        int self = self();
        return self == 0
                ? List.of(new Person("root", 0), new Person("user", ORDINARY_UID))
                : List.of(new Person("user", self));
    }

    /// The user that this test process is.
    public static int self() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new IllegalStateException("/proc/self has no owner", e);
        }
    }

    /// `command` such that it runs as this person: no groups, no inherited capability.
    public List<String> does(List<String> command) {
        if (uid == self()) {
            return command;
        }
        var id = Integer.toString(uid);
        var whole = new ArrayList<>(List.of("setpriv", "--reuid", id, "--regid", id, "--clear-groups"));
        whole.addAll(List.of("--inh-caps=-all", "--"));
        whole.addAll(command);
        return whole;
    }

    /// Hands `tree` to this person.
    public void own(Path tree) throws IOException {
        if (uid == self()) {
            return;
        }
        try (var files = Files.walk(tree)) {
            for (Path file : files.toList()) {
                Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
                Files.setAttribute(file, "unix:gid", uid, LinkOption.NOFOLLOW_LINKS);
            }
        }
    }
}
