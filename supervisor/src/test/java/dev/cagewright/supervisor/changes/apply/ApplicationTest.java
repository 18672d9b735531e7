package dev.cagewright.supervisor.changes.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.protect.ProtectionGroup;
import dev.cagewright.supervisor.changes.CopiedTree;
import dev.cagewright.supervisor.copy.Mechanism;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ApplicationTest {
    private static final String BEFORE = """
            mkdir -p src/deep gone/more; printf abc > src/a; echo b > src/deep/b; echo c > gone/more/c; echo one > one
            echo two > two; chmod 755 two; ln -s one link; echo k > kept; echo r > retyped; mkdir dir; echo x > dir/x
            """;
    private static final String WORK = """
            printf abcd > src/a; rm -r gone; chmod 644 two; ln -sfn two link; mkdir -p new/deep; echo n > new/deep/n
            mv one uno; rm retyped; mkdir retyped; echo in > retyped/in; rm -r dir; echo file > dir; rm src/deep/b
            chmod 700 src; ln -s ../src/a new/up
            """;

    @TempDir
    Path temp;

    /// The end of a process in the middle of it.
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private CopiedTree tree(String folder, Mechanism mechanism) throws IOException, InterruptedException {
        return new CopiedTree(Files.createDirectory(temp.resolve(folder)), mechanism);
    }

    private static ApplyRequest request(CopiedTree tree, ProtectionGroup... waived) throws IOException {
        return request(tree, Set.of(), waived);
    }

    private static ApplyRequest request(CopiedTree tree, Set<String> forced, ProtectionGroup... waived)
            throws IOException {
        var paths = new HashSet<RelativePath>();
        forced.forEach(path -> paths.add(new RelativePath(ByteString.of(path))));
        return new ApplyRequest(
                tree.copy(),
                List.of(RelativePath.TOP),
                paths,
                Set.of(waived),
                new ApplyRequest.Home(tree.session().resolve("home"), List.of()));
    }

    private static Application.Result apply(ApplyRequest request) throws IOException {
        return new Application(request.copy()).carryOut(Application.plan(request));
    }

    private static List<String> kept(Application.Result result) {
        return result.kept().stream()
                .map(step -> step.path() + ": "
                        + step.refusal().map(Step.Refusal::sentence).orElse(""))
                .toList();
    }

    /// Every path with its mode, and its bytes or the text of its link.
    private static String listing(Path top) throws IOException, InterruptedException {
        return CopiedTree.run(
                List.of(
                        "sh",
                        "-c",
                        "find . -mindepth 1 -printf '%P %y %m %l\\n' | sort; find . -type f | sort | xargs sha256sum"),
                top);
    }

    private static String merged(CopiedTree tree, Path into) throws IOException, InterruptedException {
        Files.createDirectory(into);
        tree.inCopy("cp -a . \"" + into + "\"");
        return listing(into);
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLAY", "COPY"})
    void the_host_gets_what_the_copy_has_and_nothing_is_left_to_do(Mechanism mechanism)
            throws IOException, InterruptedException {
        var tree = tree("a", mechanism).onHost(BEFORE).begins().inCopy(WORK);
        var wanted = merged(tree, temp.resolve("wanted"));

        var result = apply(request(tree));

        assertThat(kept(result)).isEmpty();
        assertThat(listing(tree.host())).isEqualTo(wanted);
        assertThat(tree.changes().differences()).isEmpty();
        assertThat(new Application(tree.copy()).recover()).isEmpty();
    }

    @Test
    void stopped_at_each_moment_and_taken_up_again_the_host_gets_the_same() throws IOException, InterruptedException {
        var wanted = merged(tree("w", Mechanism.OVERLAY).onHost(BEFORE).begins().inCopy(WORK), temp.resolve("wanted"));
        int moments = 0;
        boolean stopped = true;
        while (stopped) {
            var tree = tree("t" + moments, Mechanism.OVERLAY)
                    .onHost(BEFORE)
                    .begins()
                    .inCopy(WORK);
            stopped = stoppedAt(tree, moments);
            assertWholeFiles(tree);
            new Application(tree.copy()).recover();
            assertNothingAside(tree.host());
            assertThat(kept(apply(request(tree)))).as("moment %d", moments).isEmpty();
            assertThat(listing(tree.host())).as("moment %d", moments).isEqualTo(wanted);
            moments++;
        }
        assertThat(moments).isGreaterThan(25);
    }

    private static boolean stoppedAt(CopiedTree tree, int moment) throws IOException {
        int[] left = {moment};
        var application = new Application(tree.copy(), _ -> {
            if (left[0]-- == 0) {
                throw new Killed();
            }
        });
        try {
            application.carryOut(Application.plan(request(tree)));
            return false;
        } catch (Killed _) {
            return true;
        }
    }

    /// No name of the host stands for half a file.
    private static void assertWholeFiles(CopiedTree tree) throws IOException {
        var a = tree.host().resolve("src/a");
        assertThat(Files.readString(a)).isIn("abc", "abcd");
        var link = Files.readSymbolicLink(tree.host().resolve("link"));
        assertThat(link.toString()).isIn("one", "two");
    }

    private static void assertNothingAside(Path host) throws IOException {
        try (Stream<Path> all = Files.walk(host)) {
            assertThat(all.filter(path -> path.getFileName().toString().startsWith(".cagewright-")))
                    .isEmpty();
        }
    }

    @Test
    void what_the_host_changed_itself_is_kept_until_it_is_forced_by_name() throws IOException, InterruptedException {
        var tree = tree("a", Mechanism.OVERLAY)
                .onHost("echo 1 > both; echo 1 > mine; echo 1 > gone; echo 1 > other")
                .begins()
                .inCopy("echo cage > both; echo cage > mine; rm gone; echo cage > other; echo cage > fresh")
                .onHost("echo person > both; echo person > gone; echo person > fresh; rm other");

        assertThat(kept(apply(request(tree, Set.of("mine")))))
                .containsExactlyInAnyOrder(
                        "both: the host changed it after the run began; --force both overwrites that",
                        "fresh: the host changed it after the run began; --force fresh overwrites that",
                        "other: the host removed or moved it after the run began; --force other overwrites that",
                        "gone: the host changed it after the run began; --force gone overwrites that");
        assertThat(tree.host().resolve("both")).hasContent("person");
        assertThat(tree.host().resolve("mine")).hasContent("cage");
        assertThat(tree.host().resolve("other")).doesNotExist();

        assertThat(kept(apply(request(tree, Set.of("both", "gone", "other", "fresh")))))
                .isEmpty();
        assertThat(tree.host().resolve("both")).hasContent("cage");
        assertThat(tree.host().resolve("gone")).doesNotExist();
    }

    @Test
    void an_edit_in_the_very_moment_of_the_change_is_not_lost() throws IOException, InterruptedException {
        var tree = tree("a", Mechanism.OVERLAY)
                .onHost("echo 1 > edited; echo 1 > removed; echo 1 > quiet")
                .begins()
                .inCopy("echo cage > edited; rm removed; echo cage > quiet; echo cage > made");
        var host = tree.host();
        var application = new Application(tree.copy(), moment -> {
            try {
                if (moment.equals("created aside")) {
                    Files.writeString(host.resolve("edited"), "person\n");
                    Files.writeString(host.resolve("made"), "person\n");
                }
                if (moment.equals("moved aside") && Files.notExists(host.resolve("removed"))) {
                    Files.writeString(host.resolve("removed"), "person\n");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        var result = application.carryOut(Application.plan(request(tree)));

        assertThat(kept(result))
                .containsExactlyInAnyOrder(
                        "edited: the host changed it just now", "made: the host has something there by now");
        assertThat(host.resolve("edited")).hasContent("person");
        assertThat(host.resolve("made")).hasContent("person");
        assertThat(host.resolve("removed")).hasContent("person");
        assertThat(host.resolve("quiet")).hasContent("cage");
        assertNothingAside(host);
    }

    @Test
    void protected_names_are_kept_back_also_where_nothing_stands_and_waived_by_group()
            throws IOException, InterruptedException {
        var tree = tree("a", Mechanism.OVERLAY)
                .onHost("git init -q; mkdir -p my-hooks; git config core.hooksPath my-hooks; echo x > my-hooks/x")
                .begins()
                .inCopy("""
                        echo evil > .git/hooks/pre-commit; echo evil >> .git/config; mkdir -p sub/.vscode
                        echo evil > sub/.vscode/tasks.json; echo evil > sub/.ENVRC; echo evil > my-hooks/pre-push
                        git init -q --bare bare; echo evil > bare/hooks/post-update; echo fine > src; echo e > .mcp.json
                        """);

        var kept = kept(apply(request(tree)));

        assertThat(kept)
                .contains(
                        ".git/hooks/pre-commit: protected (git-hooks); --waive git-hooks lifts it",
                        ".git/config: protected (git-config); --waive git-config lifts it",
                        "sub/.vscode/tasks.json: protected (editor-config); --waive editor-config lifts it",
                        "sub/.ENVRC: protected (shell-startup); --waive shell-startup lifts it",
                        ".mcp.json: protected (agent-config); --waive agent-config lifts it",
                        "bare/hooks/post-update: protected (git-hooks); --waive git-hooks lifts it",
                        "bare/config: protected (git-config); --waive git-config lifts it",
                        "my-hooks/pre-push: protected by this workspace's git configuration or your home directory;"
                                + " --waive lifts it by group (" + ProtectionGroup.names() + ")");
        assertThat(tree.host().resolve("src")).hasContent("fine");
        assertThat(tree.host().resolve(".git/hooks/pre-commit")).doesNotExist();

        apply(request(tree, ProtectionGroup.GIT_HOOKS));
        assertThat(tree.host().resolve(".git/hooks/pre-commit")).hasContent("evil");
        assertThat(tree.host().resolve("my-hooks/pre-push")).hasContent("evil");
        assertThat(tree.host().resolve(".mcp.json")).doesNotExist();
    }

    @Test
    void links_that_leave_and_special_files_are_kept_back_and_set_id_bits_are_left_out()
            throws IOException, InterruptedException {
        var tree = tree("a", Mechanism.OVERLAY)
                .onHost("mkdir -p d/e; ln -s /etc outside; ln -s d inside; echo a > d/a")
                .begins()
                .inCopy("""
                        ln -s /etc/passwd absolute; ln -s ../../x d/above; ln -s d/../.. down-and-up; ln -s outside/passwd by
                        ln -s ../a d/e/fine; ln -s inside/a through; ln -s nowhere dangling; mkfifo pipe
                        echo x > tool; chmod 6755 tool; mkdir sticky; chmod 1777 sticky
                        """);

        var result = apply(request(tree));

        assertThat(kept(result))
                .containsExactlyInAnyOrder(
                        "absolute: is a link to /etc/passwd, which can lead out of the workspace",
                        "by: is a link to outside/passwd, which can lead out of the workspace",
                        "d/above: is a link to ../../x, which can lead out of the workspace",
                        "down-and-up: is a link to d/../.., which can lead out of the workspace",
                        "pipe: is a fifo: only files, links and directories are brought over");
        assertThat(result.notes()).contains("tool: set-id and sticky bits were left out");
        assertThat((Integer) Files.getAttribute(tree.host().resolve("tool"), "unix:mode") & 07777)
                .isEqualTo(0755);
        assertThat(tree.host().resolve("d/e/fine")).hasContent("a");
        assertThat(Files.isSymbolicLink(tree.host().resolve("dangling"))).isTrue();
        assertThat(Files.exists(tree.host().resolve("absolute"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @Test
    void B115_a_directory_swapped_for_a_link_is_not_written_through() throws IOException, InterruptedException {
        var outside = Files.createDirectory(temp.resolve("outside"));
        var tree = tree("a", Mechanism.OVERLAY)
                .onHost("mkdir -p d/e; echo 1 > d/e/f; mkdir other; echo 1 > other/f")
                .begins()
                .inCopy("echo cage > d/e/f; echo cage > d/e/new; echo cage > other/f");
        Files.writeString(outside.resolve("f"), "1\n");
        var plan = Application.plan(request(tree));
        CopiedTree.run(List.of("sh", "-c", "mv d/e d/was; ln -s \"" + outside + "\" d/e"), tree.host());

        var result = new Application(tree.copy()).carryOut(plan);

        assertThat(kept(result))
                .allMatch(line -> line.endsWith(": d/e: a link is in the way (expected: a path without links)"))
                .hasSize(2);
        assertThat(outside.resolve("f")).hasContent("1");
        assertThat(outside.resolve("new")).doesNotExist();
        assertThat(tree.host().resolve("other/f")).hasContent("cage");
    }

    @Test
    void holes_stay_holes_and_times_and_other_names_stay() throws IOException, InterruptedException {
        var tree = tree("a", Mechanism.OVERLAY)
                .onHost("echo old > named; ln named twin")
                .begins()
                .inCopy(
                        "truncate -s 200M sparse; printf end >> sparse; touch -d 2001-02-03T04:05:06Z sparse; echo new > named");

        var result = apply(request(tree));

        assertThat(kept(result)).isEmpty();
        long blocks = Long.parseLong(CopiedTree.run(List.of("stat", "-c", "%b", "sparse"), tree.host())
                .strip());
        assertThat(blocks * 512).isLessThan(1 << 20);
        assertThat(Files.getLastModifiedTime(tree.host().resolve("sparse"))).hasToString("2001-02-03T04:05:06Z");
        assertThat(tree.host().resolve("twin")).hasContent("old");
        assertThat(result.notes()).containsExactly("named: had 2 names; the others keep what they had");
    }

    @Test
    void B126_names_that_are_not_text_arrive_byte_for_byte() throws IOException, InterruptedException {
        var tree = tree("a", Mechanism.OVERLAY).onHost("echo k > k").begins().inCopy("""
                        for n in "$(printf 'a\\rb')" "$(printf 'b\\nc')" --help ' lead' 'x\\\\' "$(printf '\\377')" \\
                            "$(printf 'e\\314\\201')" "$(printf '\\303\\251')" "$(printf '%0255d' 7)"; do
                        echo "$n" > "./$n"; done
                        """);

        assertThat(kept(apply(request(tree)))).isEmpty();
        assertThat(CopiedTree.run(List.of("sh", "-c", "ls -1 | wc -l; ls | od -c | md5sum"), tree.host()))
                .isEqualTo(CopiedTree.run(
                        List.of(
                                "sh",
                                "-c",
                                "{ ls -1; echo k; } | sort | wc -l; { ls; echo k; } | LC_ALL=C sort | od -c | md5sum"),
                        tree.session().resolve("copy/upper")));
    }

    @Test
    void only_what_was_chosen_is_brought_over_with_the_directories_it_needs() throws IOException, InterruptedException {
        var tree = tree("a", Mechanism.OVERLAY).onHost(BEFORE).begins().inCopy(WORK);
        var request = new ApplyRequest(
                tree.copy(),
                List.of(RelativePath.written(ByteString.of("./new/deep/n"))),
                Set.of(),
                Set.of(),
                request(tree).home());

        assertThat(apply(request).done().stream().map(step -> step.path().toString()))
                .containsExactly("new", "new/deep", "new/deep/n");
        assertThat(tree.host().resolve("gone/more/c")).exists();
    }

    @Test
    void the_products_own_files_are_never_written() throws IOException, InterruptedException {
        var tree = tree("a", Mechanism.OVERLAY)
                .onHost("mkdir -p conf; echo p > conf/policy.yaml; echo q > policy2.yaml")
                .begins()
                .inCopy(
                        "echo evil > conf/policy.yaml; echo evil > conf/new.yaml; echo evil > policy2.yaml; echo f > fine");
        var own = new ArrayList<Path>(
                List.of(tree.host().resolve("conf"), tree.host().resolve("policy2.yaml")));
        var request = new ApplyRequest(
                tree.copy(),
                List.of(RelativePath.TOP),
                Set.of(),
                Set.of(ProtectionGroup.values()),
                new ApplyRequest.Home(temp, own));

        assertThat(kept(apply(request)))
                .containsExactly(
                        "conf/new.yaml: belongs to the product itself: never brought over",
                        "conf/policy.yaml: belongs to the product itself: never brought over",
                        "policy2.yaml: belongs to the product itself: never brought over");
        assertThat(tree.host().resolve("fine")).hasContent("f");
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLAY", "COPY"})
    void B125_links_come_through_a_copy_as_links_and_none_is_followed_or_lost(Mechanism mechanism)
            throws IOException, InterruptedException {
        var links = "ln -s /workspace/data absolute; ln -s ../data src/up; ln -s nothing-there dangling;"
                + " ln -s ../tool/run.js node_modules/.bin/tool";
        var tree = tree("a", mechanism)
                .onHost("mkdir -p data src node_modules/.bin node_modules/tool; echo d > data/d;"
                        + " echo js > node_modules/tool/run.js; " + links)
                .begins()
                .inCopy("for name in absolute src/up dangling node_modules/.bin/tool; do cp -P $name $name-2; done;"
                        + " echo changed > data/d; rm dangling");

        var result = apply(request(tree));

        assertThat(kept(result))
                .singleElement()
                .asString()
                .startsWith("absolute-2: ")
                .contains("link");
        var host = tree.host();
        assertThat(Files.readSymbolicLink(host.resolve("absolute"))).hasToString("/workspace/data");
        assertThat(Files.readSymbolicLink(host.resolve("src/up"))).hasToString("../data");
        assertThat(Files.readSymbolicLink(host.resolve("src/up-2"))).hasToString("../data");
        assertThat(Files.readSymbolicLink(host.resolve("dangling-2"))).hasToString("nothing-there");
        assertThat(Files.readSymbolicLink(host.resolve("node_modules/.bin/tool-2")))
                .hasToString("../tool/run.js");
        assertThat(host.resolve("dangling"))
                .satisfies(gone -> assertThat(Files.exists(gone, LinkOption.NOFOLLOW_LINKS))
                        .isFalse());
        assertThat(host.resolve("data/d")).hasContent("changed");
        assertThat(host.resolve("node_modules/tool/run.js")).hasContent("js");
        assertThat(tree.changes().differences()).hasSize(1);
    }
}
