package dev.cagewright.supervisor.policyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.PolicyDocument;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTextTest {
    private static PolicyDocument good(String text) throws PolicySyntaxException {
        return PolicyText.parse("p", text.getBytes(StandardCharsets.UTF_8)).document();
    }

    private static List<String> problems(String text) {
        try {
            good(text);
            return List.of();
        } catch (PolicySyntaxException e) {
            return e.problems().stream().map(problem -> problem.toString()).toList();
        }
    }

    private static HostRule firstHost(String text) throws PolicySyntaxException {
        return good(text).net().orElseThrow().hosts().orElseThrow().getFirst();
    }

    @Test
    void every_key_of_the_design_is_read() throws Exception {
        var policy = good("""
                name: dependency-updater
                min_isolation: tier0
                mode: lockdown
                command: [npm, update]
                fs:
                  mounts:
                    - {path: /workspace/a/../b, source: session-copy}
                    - {path: /data, mode: ro}
                  protect: default
                  waive: [git-hooks]
                  hide: ["**/.env", /workspace/secret]
                net:
                  mode: allowlist
                  registries: [npm]
                  hosts:
                    - host: api.github.com
                      methods: [GET, POST]
                      paths: ["/repos/acme/app/**"]
                      budget: {requests: 500/day, sent: 20MiB/day, received: 2GiB}
                    - {host: pinned.example.com, inspect: false}
                    - {host: db.internal, port: 5432, protocol: tcp, addresses: [10.0.0.5]}
                  aliases: {github: api.github.com}
                credentials:
                  - {name: github_token, env: GITHUB_TOKEN, use_with: [github], in: [header, query]}
                exec:
                  allowlist: [node, npm, git]
                  env: [LANG]
                approval:
                  timeout: 5m
                  require_for:
                    - http.request: {methods: [POST], hosts: [github]}
                    - proc.exec: {}
                resources: {cpus: 1.5, memory: 2GiB, processes: 256, timeout: 30m, output: 10MiB, disk: 1GiB, files: 10000}
                inspect: {secrets: block, entropy: {above: 7.2, from: 256, then: flag}, body: {max: 8MiB}}
                capture: {har: true, body: 1MiB}
                """);

        assertThat(policy.tool()).hasToString("Optional[dependency-updater]");
        assertThat(policy.fs().orElseThrow().mounts().orElseThrow())
                .extracting(Mount::toString)
                .containsExactly(
                        "Mount[path=/workspace/b, mode=RO, source=session-copy]",
                        "Mount[path=/data, mode=RO, source=/data]");
        assertThat(policy.fs().orElseThrow().hide()).hasSize(2);
        var hosts = policy.net().orElseThrow().hosts().orElseThrow();
        assertThat(hosts.get(0).budget().requests()).contains(new Budget.Rate(500, Budget.Per.DAY));
        assertThat(hosts.get(0).budget().received()).contains(new Budget.Rate(2L << 30, Budget.Per.RUN));
        assertThat(hosts.get(1).inspection()).isEqualTo(HostRule.Inspection.PASSED_THROUGH);
        assertThat(hosts.get(2).ports()).contains(List.of(5432));
        assertThat(policy.credentials().orElseThrow().getFirst().places()).hasSize(2);
        assertThat(policy.approval().orElseThrow().requireFor())
                .extracting(ApprovalSection.Condition::action)
                .containsExactly("http.request", "proc.exec");
        assertThat(policy.resources().orElseThrow().cpus()).hasToString("Optional[1.5]");
        assertThat(policy.inspect().orElseThrow().bodyMax()).hasToString("Optional[8MiB]");
        assertThat(policy.capture().orElseThrow().body()).hasToString("Optional[1MiB]");
    }

    @Test
    void a_set_up_is_read_with_its_own_network() throws Exception {
        var setup = good("phases: {setup: {command: [npm, ci], net: {registries: [npm]}}}")
                .phases()
                .orElseThrow()
                .setup();

        assertThat(setup.command()).containsExactly("npm", "ci");
        assertThat(setup.net().orElseThrow().registries()).contains(List.of("npm"));
        assertThat(problems("phases: {}")).hasSize(1);
        assertThat(problems("phases: {setup: {net: {mode: none}}}")).hasSize(1);
        assertThat(problems("phases: {setup: {command: []}}")).hasSize(1);
        assertThat(problems("phases: {setup: {command: [a], fs: {}}}")).hasSize(1);
        assertThat(problems("phases: {run: {command: [a]}, setup: {command: [a]}}"))
                .hasSize(1);
    }

    @Test
    void the_gateways_own_way_out_is_read() throws Exception {
        var net = good("""
                net:
                  upstream_proxy: http://proxy.test:3128/
                  upstream_ca: /etc/corp/roots.pem
                  hosts:
                    - {host: a.test, upstream_ca: /etc/corp/a.pem}
                    - {host: b.test}
                """).net().orElseThrow();

        assertThat(net.upstream().proxy().orElseThrow()).hasToString("http://proxy.test:3128");
        assertThat(net.upstream().ca()).contains("/etc/corp/roots.pem");
        assertThat(net.hosts().orElseThrow().getFirst().upstreamCa()).contains("/etc/corp/a.pem");
        assertThat(net.hosts().orElseThrow().getLast().upstreamCa()).isEmpty();
        assertThat(good("net: {upstream_proxy: \"http://[2001:db8::1]:80\"}")
                        .net()
                        .orElseThrow()
                        .upstream()
                        .proxy()
                        .orElseThrow())
                .hasToString("http://[2001:db8::1]:80");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://proxy.test:3128",
                "http://proxy.test",
                "http://user:word@proxy.test:3128",
                "http://proxy.test:0",
                "http://proxy.test:65536",
                "http://proxy.test:3128/x",
                "proxy.test:3128",
                "http://a..b:1"
            })
    void a_proxy_is_a_host_and_a_port_and_nothing_else(String url) {
        assertThat(problems("net: {upstream_proxy: \"" + url + "\"}")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"roots.pem", "~/roots.pem", "/a/../b", "", " /a", "/a\\n"})
    void roots_are_named_by_an_absolute_path(String file) {
        assertThat(problems("net: {upstream_ca: \"" + file + "\"}")).hasSize(1);
        assertThat(problems("net: {hosts: [{host: a.test, upstream_ca: \"" + file + "\"}]}"))
                .hasSize(1);
    }

    @Test
    void an_absent_section_is_silence_and_an_empty_list_a_list() throws Exception {
        var policy = good("exec: {allowlist: []}\nnet: {hosts: []}\ncredentials: []");

        assertThat(policy.exec().orElseThrow().allowlist()).contains(List.of());
        assertThat(policy.net().orElseThrow().hosts()).contains(List.of());
        assertThat(policy.net().orElseThrow().registries()).isEmpty();
        assertThat(policy.credentials()).contains(List.of());
        assertThat(policy.fs()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exec: {allowlst: [git]} | 1:8: unknown key \"allowlst\" in exec (did you mean \"allowlist\"?)",
                "Tool: x | 1:1: unknown key \"Tool\" (did you mean \"tool\"?)",
                "min-isolation: gvisor | 1:1: unknown key \"min-isolation\" (did you mean \"min_isolation\"?)",
                "net: {host: []} | 1:7: unknown key \"host\" in net (did you mean \"hosts\"?)",
                "capture: {video: true} | 1:11: unknown key \"video\" in capture (one of har, body)",
                "mode: enforc | 1:7: mode: \"enforc\" (did you mean \"enforce\"?)",
                "on: x | 1:1: unknown key \"on\" (one of tool, name, min_isolation, mode, command, fs, net, credentials, exec, approval, resources, inspect, capture, phases, mcp)"
            })
    void a_name_that_is_not_known_is_refused_with_the_nearest_one(String text, String problem) {
        assertThat(problems(text)).containsExactly("p:" + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | 1:1: the document: expected a mapping with keys such as tool, fs, net and exec, found a list",
                "exec: [git] | 1:7: exec: expected a mapping with allowlist or env, found a list",
                "exec: {allowlist: git} | 1:19: exec.allowlist: expected a list of programs, found a string git (put it in [ ], or each item on its own line after \"- \")",
                "exec: {allowlist: {git: 1}} | 1:19: exec.allowlist: expected a list of programs, found a mapping (put it in [ ], or each item on its own line after \"- \")",
                "tool: [x] | 1:7: tool: expected a name of letters, digits, '.', '_' and '-', found a list",
                "capture: {har: 'true'} | 1:16: capture.har: expected true or false, found a string true (remove the quotes)",
                "resources: {processes: '5'} | 1:24: resources.processes: expected a whole number from 1, found a string 5 (remove the quotes)",
                "resources: {processes: many} | 1:24: resources.processes: expected a whole number from 1, found a string many",
                "fs: {mounts: [/workspace]} | 1:15: fs.mounts[0]: expected a mapping with path, found a string /workspace",
                "fs: {mounts: [{mode: rw}]} | 1:15: key \"path\" is missing in fs.mounts[0] (expected an absolute path inside the cage)",
                "net: {hosts: [{methods: []}]} | 1:15: a key is missing in net.hosts[0] (exactly one of host, alias)",
                "net: {hosts: [{host: a, alias: b}]} | 1:15: 2 keys where one is meant in net.hosts[0] (exactly one of host, alias)",
                "command: [] | 1:10: command: the list is empty (expected a program and its arguments)"
            })
    void a_wrong_type_is_refused_with_both_types(String text, String problem) {
        assertThat(problems(text)).containsExactly("p:" + problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec: {allowlist: }",
                "exec: {allowlist: ~}",
                "exec:\n  allowlist:\n    # - git\n",
                "exec: {allowlist: null}"
            })
    void no_value_is_neither_an_empty_list_nor_an_absent_one(String text) {
        assertThat(problems(text))
                .hasSize(1)
                .first()
                .asString()
                .endsWith("exec.allowlist has no value (expected a list of programs; remove the key to leave it out)");
    }

    @Test
    void name_and_tool_are_one_key() throws Exception {
        assertThat(good("name: x").tool()).isEqualTo(good("tool: x").tool());
        assertThat(good("name: x").origins().at("/tool")).hasToString("Optional[p:1:1]");
        assertThat(problems("tool: x\nname: x"))
                .containsExactly("p:2:1: \"name\" is the same key as \"tool\" (first at 1:1; keep one of them)");
        assertThat(firstHost("net: {hosts: [{host: a, port: 80}]}").ports())
                .isEqualTo(firstHost("net: {hosts: [{host: a, ports: [80]}]}").ports());
    }

    @Test
    void every_problem_of_a_file_is_told_at_once_in_its_order() {
        assertThat(problems("tol: &x y\nmode: 3\nexec:\n  allowlist: *x\n  allowlist: [git]\ncapture: {har: 1}\n"))
                .extracting(text -> text.substring(0, text.indexOf(' ')))
                .containsExactly("p:1:1:", "p:1:6:", "p:2:7:", "p:4:14:", "p:5:3:", "p:6:16:");
        assertThatThrownBy(() -> good("a: 1\n".repeat(0) + "x1: 1\nx2: 2\n"))
                .isInstanceOf(PolicySyntaxException.class)
                .message()
                .matches("(?s)p:1:1: unknown key \"x1\" .*\np:2:1: unknown key \"x2\" .*");
    }

    @Test
    void B268_words_are_strings_where_strings_are_wanted() throws Exception {
        var condition =
                good("approval: {require_for: [{http.request: {hosts: [no, on, y.test, NO], methods: [GET, on]}}]}")
                        .approval()
                        .orElseThrow()
                        .requireFor()
                        .getFirst();

        assertThat(condition.hosts()).contains(List.of("no", "on", "y.test", "NO"));
        assertThat(condition.methods()).contains(List.of("GET", "on"));
        assertThat(good("credentials: [{name: yes, use_with: no}]")
                        .credentials()
                        .orElseThrow())
                .extracting(credential -> credential.name() + credential.useWith())
                .containsExactly("yes[no]");
        assertThat(good("name: 1_000").tool()).hasToString("Optional[1_000]");
        assertThat(good("name: 2026-01-01").tool()).hasToString("Optional[2026-01-01]");
        assertThat(problems("name: 12:30")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e3", "0x10", "true", "12", "1.5"})
    void B268_what_is_no_string_is_refused_with_a_hint_to_quote_it(String word) throws Exception {
        assertThat(problems("name: " + word))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("p:1:7: tool: expected a name")
                .endsWith("put it in quotes)");
        assertThat(good("name: '" + word + "'").tool()).hasToString("Optional[" + word + "]");
        assertThat(problems("command: [sleep, " + word + "]"))
                .hasSize(1)
                .first()
                .asString()
                .endsWith("put it in quotes)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"~", "null", ""})
    void B268_no_value_is_no_name(String word) {
        assertThat(problems("name: " + word))
                .containsExactly("p:1:" + (word.isEmpty() ? 6 : 7) + ": tool has no value (expected a name of letters,"
                        + " digits, '.', '_' and '-'; remove the key to leave it out)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fs: {mounts: [{path: /w, mode: 0755}]} | 0755 is 493 in YAML 1.1 and 755 in YAML 1.2",
                "fs: {mounts: [{path: /w, mode: 0o755}]} | 0o755 is text in YAML 1.1 and 493 in YAML 1.2",
                "fs: {mounts: [{path: /w, mode: '0755'}]} | one of ro, rw",
                "fs: {mounts: [{path: /w, mode: 755}]} | expected one of ro, rw, found a whole number 755",
                "net: {hosts: [{host: a, port: 022}]} | 022 could mean 22 or octal 18",
                "net: {hosts: [{host: a, port: 22:22}]} | 22:22 is 1342 in YAML 1.1 and text in YAML 1.2",
                "net: {hosts: [{host: a, port: 8080.0}]} | expected a port from 1 to 65535, found a number 8080.0",
                "net: {hosts: [{host: a, port: 1e2}]} | 1e2 is text in YAML 1.1 and 100 in YAML 1.2",
                "resources: {memory: 08} | 08 is text in YAML 1.1 and 8 in YAML 1.2",
                "resources: {files: 010} | 010 could mean 10 or octal 8",
                "resources: {files: 1_000} | 1_000 is 1000 in YAML 1.1 and text in YAML 1.2",
                "resources: {timeout: 12:30} | 12:30 is 750 in YAML 1.1 and text in YAML 1.2",
                "resources: {cpus: 010} | 010 is 8 in YAML 1.1 and 10 in YAML 1.2",
                "resources: {cpus: 1e1} | 1e1 is text in YAML 1.1 and 10 in YAML 1.2",
                "capture: {har: yes} | yes is true in YAML 1.1 and text in YAML 1.2"
            })
    void B281_an_ambiguous_spelling_is_refused_with_both_readings(String text, String reading) {
        assertThat(problems(text)).hasSize(1).first().asString().contains(reading);
    }

    @Test
    void B281_the_plain_spelling_beside_each_is_taken() {
        assertThat(problems(
                        "fs: {mounts: [{path: /w, mode: rw}]}\nresources: {memory: 8GiB, files: 10, cpus: 10, timeout: 12m}"
                                + "\nnet: {hosts: [{host: a, port: 22}]}\ncapture: {har: true}"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\n", "\\r", "\\x85", "\\u2028", "\\u200b", "\\0", "\\e", "\\u202e", " "})
    void B177_no_name_ends_in_a_character_that_is_not_seen(String end) {
        for (String field : new String[] {
            "tool: \"x@\"",
            "name: \"x@\"",
            "credentials: [{name: \"x@\", use_with: []}]",
            "credentials: [{name: x, env: \"X@\", use_with: []}]",
            "credentials: [{name: x, use_with: \"h@\"}]",
            "net: {hosts: [{host: \"a.test@\"}]}",
            "net: {hosts: [{alias: \"a@\"}]}",
            "net: {hosts: [{host: a.test, methods: [\"GET@\"]}]}",
            "net: {hosts: [{host: a.test, paths: [\"/a@\"]}]}",
            "net: {hosts: [{host: a.test, addresses: [\"10.0.0.1@\"]}]}",
            "net: {aliases: {\"a@\": b}}",
            "net: {aliases: {a: \"b@\"}}",
            "net: {registries: [\"npm@\"]}",
            "exec: {allowlist: [\"git@\"]}",
            "exec: {env: [\"LANG@\"]}",
            "fs: {waive: [\"git-hooks@\"]}",
            "mode: \"enforce@\"",
            "resources: {memory: \"1GiB@\"}",
            "approval: {require_for: [{proc.exec: {names: [\"git@\"]}}]}"
        }) {
            assertThat(problems(field.replace("@", end))).as(field).hasSize(1);
            assertThat(problems(field.replace("@", ""))).as(field).isEmpty();
        }
    }

    @Test
    void an_argument_may_hold_any_character_but_nul() throws Exception {
        assertThat(good("command: [printf, \"a\\nb\\t\\e[0m\", '']").command())
                .contains(List.of("printf", "a\nb\t\u001b[0m", ""));
        assertThat(problems("command: [printf, \"a\\0\"]")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/tmp/a b | /tmp/a b",
                "/tmp/a,ro=false | /tmp/a,ro=false",
                "/tmp/a:b | /tmp/a:b",
                "/tmp//x/./y/ | /tmp/x/y",
                "/tmp/x/../y | /tmp/y"
            })
    void B280_a_mount_source_means_that_path_and_no_other(String source, String path) throws Exception {
        assertThat(good("fs: {mounts: [{path: /w, source: \"" + source + "\"}]}")
                        .fs()
                        .orElseThrow()
                        .mounts()
                        .orElseThrow()
                        .getFirst()
                        .source())
                .isEqualTo(new Mount.Source.HostPath(path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tmp/a\\n",
                " /tmp/a",
                "/tmp/a ",
                "~",
                "~/x",
                "$HOME",
                "${HOME}/x",
                "relative",
                "./x",
                "",
                "/..",
                "/a/../../b",
                "/a\\0",
                "/a\\u200b"
            })
    void B280_a_mount_field_with_unseen_or_expandable_text_is_refused(String text) {
        assertThat(problems("fs: {mounts: [{path: /w, source: \"" + text + "\"}]}"))
                .hasSize(1);
        assertThat(problems("fs: {mounts: [{path: \"" + text + "\"}]}")).hasSize(1);
    }

    @Test
    void B277_each_path_pattern_keeps_its_place() throws Exception {
        var policy = good(
                "net:\n  hosts:\n    - host: a.test\n      paths: ['/a/*', '/a/**/c',\n        '/a/*.json', '/a*', '/%2C']\n");

        assertThat(policy.origins().at("/net/hosts/0/paths/0")).hasToString("Optional[p:4:15]");
        assertThat(policy.origins().at("/net/hosts/0/paths/3")).hasToString("Optional[p:5:22]");
        assertThat(policy.origins().of(new RuleId("net.hosts[0]"))).hasToString("Optional[p:3:7]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a/*,/b/* | 4 | one pattern for each entry of the list",
                "/{id} | 1 | for a variable segment",
                "* | 0 | a path that starts with",
                "a/b | 0 | a path that starts with",
                "/a?x=1 | 2 | a path without query"
            })
    void B277_a_path_pattern_that_means_nothing_is_refused_with_line_and_position(
            String path, int position, String expected) {
        assertThat(problems("net: {hosts: [{host: a.test, paths: ['/ok', '" + path + "']}]}"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("p:1:45: net.hosts[0].paths[1]: \"" + path + "\"")
                .contains(expected, Integer.toString(position));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://a.test",
                "a.test/path",
                "a.test:8443",
                "*",
                "**",
                "*.*.test",
                "a..test",
                "a_b.c d",
                "1.2.3",
                "0x7f.1"
            })
    void a_host_that_means_nothing_is_refused_with_its_line(String host) {
        assertThat(problems("net:\n  hosts:\n    - host: '" + host + "'\n"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("p:3:13: net.hosts[0].host: \"" + host + "\" (expected: ")
                .contains("a host name such as");
        assertThat(problems("net:\n  aliases: {x: '" + host + "'}\n")).hasSize(1);
        assertThat(problems("net: {hosts: [{host: '*.a.test'}, {host: '10.0.0.1'}, {host: '::1'}, {host: A.test.}]}"))
                .isEmpty();
    }

    @Test
    void places_are_known_for_every_key_and_item() throws Exception {
        var origins = good("{\"net\": {\"aliases\": {\"a\": \"b\"}}, \"exec\": {\"allowlist\": [\"x\",\n \"y\"]}}")
                .origins();

        assertThat(origins.byPointer().keySet())
                .containsExactlyInAnyOrder(
                        "",
                        "/net",
                        "/net/aliases",
                        "/net/aliases/a",
                        "/exec",
                        "/exec/allowlist",
                        "/exec/allowlist/0",
                        "/exec/allowlist/1");
        assertThat(origins.at("/exec/allowlist/1")).hasToString("Optional[p:2:2]");
        assertThat(origins.at("/exec/allowlist/7")).hasToString("Optional[p:1:43]");
    }

    @Test
    void B207_a_long_value_with_wide_letters_is_cut_between_letters() {
        for (int length = 70; length <= 90; length++) {
            var problem =
                    problems("name: [\"" + "a".repeat(length) + "\"]\nmode: \"" + "a".repeat(length) + "😀😀😀😀\"\n");

            assertThat(problem).hasSize(2);
            assertThat(problem.get(1)).startsWith("p:2:7: mode: \"aaa").doesNotContain("\ufffd");
            assertThat(problem.get(1)
                                    .chars()
                                    .filter(c -> Character.isSurrogate((char) c))
                                    .count()
                            % 2)
                    .isZero();
        }
    }

    @Test
    void a_value_of_64_kib_is_refused_in_a_short_line() {
        for (String field : List.of("tool: @", "exec: {allowlist: [@]}", "resources: {memory: @}", "mode: @")) {
            assertThat(problems(field.replace("@", "x" + "\ud83d\ude00".repeat(60_000))))
                    .hasSize(1)
                    .allSatisfy(problem -> assertThat(problem).hasSizeLessThan(1_000));
        }
        assertThat(problems("tool: " + "x".repeat(65_000)))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("p:1:7: tool: \"xxx")
                .contains("xxx... (expected: 1 to 63 letters,")
                .hasSizeLessThan(500);
    }

    @Test
    void a_message_is_one_line_that_is_safe_on_a_terminal() {
        assertThat(problems("\"x\\n\\e[31m\\u202e\": 1"))
                .containsExactly(
                        "p:1:1: unknown key \"x\\n\\u{1b}[31m\\u{202e}\" (one of tool, name, min_isolation, mode,"
                                + " command, fs, net, credentials, exec, approval, resources, inspect, capture, phases,"
                                + " mcp)");
    }

    @Test
    void B270_hostile_structure_ends_in_one_error_here_too() {
        for (String text : List.of("[".repeat(10_000), "{a: ".repeat(10_000), "tool: " + "[".repeat(10_000))) {
            assertThat(problems(text)).hasSize(1);
        }
    }

    @Test
    void a_thousand_unknown_keys_are_fifty_problems_and_a_count() {
        var text = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            text.append("k").append(i).append(": 1\n");
        }
        assertThatThrownBy(() -> good(text.toString()))
                .isInstanceOfSatisfying(PolicySyntaxException.class, e -> {
                    assertThat(e.problems()).hasSize(50);
                    assertThat(e.unlisted()).isEqualTo(950);
                })
                .hasMessageEndingWith("\n... and 950 more");
    }

    @Test
    void a_policy_that_names_nothing_is_empty() throws Exception {
        var policy = good("{}");

        assertThat(policy.tool()).isEqualTo(Optional.empty());
        assertThat(policy.origins().byPointer()).containsOnlyKeys("");
    }
}
