package dev.cagewright.sandbox.gitconfig;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigMergeTest {
    private static final String BASE =
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.com/a.git\n";
    private static final HarmlessSettings HARMLESS = new HarmlessSettings(path -> path.startsWith("/srv/"));

    private static ConfigMerge merge(String cage, String host) {
        return ConfigMerge.of(new ConfigMerge.Texts(BASE, cage, host), HARMLESS);
    }

    @Test
    void a_remote_with_its_branch_comes_over_and_the_host_keeps_its_own_changes() {
        var host = BASE + "# of the host\n[user]\n\tname = host\n";
        var merge = merge(
                BASE + "[remote \"up\"]\n\turl = git@example.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/up/*\n"
                        + "[branch \"main\"]\n\tremote = up\n\tmerge = refs/heads/main\n",
                host);
        assertThat(merge.kept()).isEmpty();
        assertThat(merge.text())
                .contains(host + "[remote \"up\"]\n\turl = git@example.com:a/b.git\n"
                        + "\tfetch = +refs/heads/*:refs/remotes/up/*\n"
                        + "[branch \"main\"]\n\tremote = up\n\tmerge = refs/heads/main\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[core]\n\thooksPath = h",
                "[core]\n\tfsmonitor = touch /tmp/x",
                "[core]\n\tfsmonitor",
                "[core]\n\tsshCommand = x",
                "[core]\n\teditor = x",
                "[core]\n\tpager = x",
                "[core]\n\tworktree = /home/x",
                "[core]\n\tattributesFile = a",
                "[core]\n\tgitProxy = x",
                "[core]\n\talternateRefsCommand = x",
                "[alias]\n\tx = !touch /tmp/x",
                "[alias]\n\tx = -c core.pager=x log",
                "[filter \"f\"]\n\tsmudge = x",
                "[filter \"f\"]\n\tprocess = x",
                "[diff \"d\"]\n\ttextconv = x",
                "[diff]\n\texternal = x",
                "[merge \"m\"]\n\tdriver = x",
                "[include]\n\tpath = ../x",
                "[includeIf \"gitdir:/\"]\n\tpath = ../x",
                "[credential]\n\thelper = !x",
                "[credential \"https://a\"]\n\thelper = x",
                "[gpg]\n\tprogram = x",
                "[gpg \"ssh\"]\n\tdefaultKeyCommand = x",
                "[user]\n\tsigningKey = /home/x/.ssh/id",
                "[url \"ext::sh -c x\"]\n\tinsteadOf = https://example.com/",
                "[http]\n\tproxy = http://evil",
                "[http]\n\tsslVerify = false",
                "[protocol \"ext\"]\n\tallow = always",
                "[safe]\n\tdirectory = *",
                "[uploadpack]\n\tpackObjectsHook = x",
                "[remote \"origin\"]\n\tuploadpack = x",
                "[remote \"origin\"]\n\treceivepack = x",
                "[remote \"origin\"]\n\tvcs = x",
                "[remote \"origin\"]\n\tproxy = x",
                "[remote \"o\"]\n\turl = ext::sh -c x",
                "[remote \"o\"]\n\turl = fd::3",
                "[remote \"o\"]\n\turl = ssh://-oProxyCommand=x/y",
                "[remote \"o\"]\n\turl = -x@host:y",
                "[remote \"o\"]\n\turl = host:-x",
                "[remote \"o\"]\n\turl = ./evil",
                "[remote \"o\"]\n\turl = ../evil",
                "[remote \"o\"]\n\turl = /home/x/evil",
                "[remote \"o\"]\n\turl = file:///home/x/evil",
                "[remote \"o\"]\n\turl = s3://bucket/x",
                "[remote \"o\"]\n\tpushurl = https://example.com/x",
                "[branch \"main\"]\n\tremote = evil",
                "[branch \"main\"]\n\tremote = ext::sh",
                "[branch \"main\"]\n\tpushRemote = ../evil",
                "[branch \"main\"]\n\tmergeOptions = -s x",
                "[submodule \"s\"]\n\tupdate = !x",
                "[submodule \"s\"]\n\turl = https://example.com/x\n\tupdate = !x",
                "[extensions]\n\trefStorage = x",
                "[sequence]\n\teditor = x",
                "[trailer \"t\"]\n\tcommand = x",
                "[man \"x\"]\n\tcmd = x",
                "[browser \"x\"]\n\tcmd = x",
                "[difftool \"x\"]\n\tcmd = x",
                "[mergetool \"x\"]\n\tpath = x",
                "[pager]\n\tlog = x",
                "[color]\n\tpager = x",
                "[sendemail]\n\tsmtpServer = /x",
                "[unheardOf]\n\tkey = x"
            })
    void what_git_would_start_or_obey_stays_in_the_cage(String added) {
        var merge = merge(BASE + added + "\n", BASE);
        var settings = ConfigText.parse(BASE + added + "\n").settings();
        assertThat(ConfigText.parse(merge.text().orElse(BASE)).settings()).doesNotContain(settings.getLast());
        assertThat(merge.kept()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[remote \"o\"]\n\turl = https://user:x@example.com:8443/a/b.git",
                "[remote \"o\"]\n\turl = ssh://git@example.com/a",
                "[remote \"o\"]\n\turl = /srv/git/a.git",
                "[remote \"o\"]\n\turl = file:///srv/git/a.git",
                "[remote \"origin\"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*",
                "[branch \"main\"]\n\tremote = origin",
                "[branch \"a/b c\"]\n\tmerge = refs/heads/a/b",
                "[branch \"main\"]\n\tdescription = \"what; it # is\"",
                "[user]\n\tname = Jos\u00c3\u00a9 \"x\"",
                "[user]\n\temail = a@b",
                "[pull]\n\trebase = merges",
                "[push]\n\tautoSetupRemote = true",
                "[submodule \"s\"]\n\turl = https://example.com/s\n\tactive = true\n\tupdate = rebase",
                "[core]\n\tautocrlf = input",
                "[advice]\n\tdetachedHead = false",
                "[color \"diff\"]\n\tmeta = blue bold"
            })
    void what_is_harmless_comes_over(String added) {
        var merge = merge(BASE + added + "\n", BASE);
        assertThat(merge.kept()).isEmpty();
        var wanted = ConfigText.parse(BASE + added + "\n").settings();
        assertThat(ConfigText.parse(merge.text().orElseThrow()).settings()).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void what_both_changed_stays_as_the_host_has_it() {
        var merge = merge(BASE.replace("/a.git", "/cage.git"), BASE.replace("/a.git", "/host.git"));
        assertThat(merge.text()).isEmpty();
        assertThat(merge.kept()).containsExactly("remote.origin.url: the host changed it too, and keeps its own");
    }

    @Test
    void a_remote_can_be_removed_but_no_setting_that_guards() {
        var base = BASE + "[core]\n\thooksPath = /dev/null\n[protocol \"ext\"]\n\tallow = never\n";
        var merge = ConfigMerge.of(new ConfigMerge.Texts(base, "[core]\n\tbare = false\n", base), HARMLESS);
        assertThat(merge.text())
                .contains(
                        "[core]\n\tbare = false\n[core]\n\thooksPath = /dev/null\n[protocol \"ext\"]\n\tallow = never\n");
        assertThat(merge.brought()).containsExactly("remote.origin.url");
        assertThat(merge.kept()).hasSize(2).allMatch(line -> line.contains("was removed"));
    }

    @Test
    void a_file_that_git_would_not_read_is_not_merged() {
        assertThat(merge("[core\n", BASE).kept())
                .containsExactly("nothing was taken over: the cage's is none that git would read");
        assertThat(merge(BASE + "[user]\n\tname = x\n", "[core\n").text()).isEmpty();
    }

    @Test
    void ten_thousand_settings_are_one_clean_refusal() {
        var many = new StringBuilder(BASE);
        for (int i = 0; i < 10_000; i++) {
            many.append("[user]\n\tk").append(i).append(" = 1\n");
        }
        assertThat(merge(many.toString(), BASE).kept())
                .containsExactly("nothing was taken over: more than 300 settings");
    }
}
