package dev.cagewright.supervisor.registries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.Registry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A machine of files in a folder, each tool's as the tool's manual has it.
class RegistriesTest {
    @TempDir
    private Path folder;

    private Path root = Path.of("/");
    private final Map<String, String> variables = new HashMap<>(Map.of("HOME", "/home/u", "PATH", "/usr/bin"));

    @BeforeEach
    void realRoot() throws IOException {
        root = folder.toRealPath();
    }

    private void file(String path, String content) throws IOException {
        var file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void program(String path, String content) throws IOException {
        file(path, content);
        Files.setPosixFilePermissions(root.resolve(path.substring(1)), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void link(String path, String to) throws IOException {
        var link = root.resolve(path.substring(1));
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(to));
    }

    private Registry of(String tool, Path... writable) {
        return Objects.requireNonNull(Registries.of(new ToolFiles(root, variables, List.of(writable)))
                .of(List.of(tool))
                .get(tool));
    }

    private List<String> hosts(String tool) {
        return of(tool) instanceof Registry.Known(var hosts, var _)
                ? hosts.stream().map(Registry.Host::toString).toList()
                : List.of(why(tool));
    }

    private String why(String tool, Path... writable) {
        return of(tool, writable) instanceof Registry.Unknown(String why) ? why : "known";
    }

    private void installNpm() throws IOException {
        program("/usr/lib/node_modules/npm/bin/npm-cli.js", "#!/usr/bin/env node\n");
        link("/usr/bin/npm", "../lib/node_modules/npm/bin/npm-cli.js");
        program("/usr/bin/node", "");
        file("/usr/lib/node_modules/npm/node_modules/@npmcli/config/lib/definitions/definitions.js", """
                  'prefer-online': new Definition('prefer-online', { default: false }),
                  registry: new Definition('registry', {
                    default: 'https://default.test/',
                    type: url,
                  }),
                  'replace-registry-host': new Definition('replace-registry-host', {
                    default: 'npmjs',
                  }),
                """);
    }

    @Test
    void npms_default_comes_from_npms_own_files() throws IOException {
        installNpm();

        assertThat(hosts("npm"))
                .containsExactly("default.test:443 (npm's default, /usr/lib/node_modules/npm/node_modules/@npmcli/"
                        + "config/lib/definitions/definitions.js)");
    }

    @Test
    void the_first_npmrc_that_names_a_registry_is_heard() throws IOException {
        installNpm();
        file("/usr/lib/node_modules/npm/npmrc", "registry=https://builtin.test/\n");
        assertThat(hosts("npm")).containsExactly("builtin.test:443 (/usr/lib/node_modules/npm/npmrc)");

        file("/usr/etc/npmrc", "registry = \"https://global.test:8443/npm/\"\n");
        assertThat(hosts("npm")).containsExactly("global.test:8443 (/usr/etc/npmrc)");

        file("/home/u/.npmrc", "; mine\n//user.test/:_authToken=word\nregistry=http://user.test\n");
        assertThat(hosts("npm")).containsExactly("user.test:80 (/home/u/.npmrc)");

        variables.put("NPM_CONFIG_REGISTRY", "https://variable.test/");
        assertThat(hosts("npm")).containsExactly("variable.test:443 (NPM_CONFIG_REGISTRY)");
    }

    @Test
    void scopes_have_registries_of_their_own_and_variables_are_put_in() throws IOException {
        installNpm();
        variables.put("CORP", "corp.test");
        file("/home/u/.npmrc", "@acme:registry=https://${CORP}/npm\n@other:registry=https://other.test\n");

        assertThat(hosts("npm"))
                .hasSize(3)
                .contains("corp.test:443 (/home/u/.npmrc)", "other.test:443 (/home/u/.npmrc)");

        variables.remove("CORP");
        assertThat(why("npm"))
                .isEqualTo("/home/u/.npmrc names the variable CORP, which is not set"
                        + " (name its hosts in net.hosts instead, with methods: [GET, HEAD])");
    }

    @Test
    void a_projects_npmrc_is_not_read_and_one_that_a_cage_could_write_is_refused() throws IOException {
        installNpm();
        file("/home/u/project/.npmrc", "registry=https://evil.test/\n");
        assertThat(hosts("npm")).hasSize(1).allMatch(host -> host.startsWith("default.test"));

        file("/home/u/.npmrc", "registry=https://evil.test/\n");
        assertThat(why("npm", root.resolve("home/u")))
                .startsWith("/home/u/.npmrc lies in " + root.resolve("home/u")
                        + ", where a cage may have written it (name its hosts");
        link("/etc/npmrc", "../home/u/project/.npmrc");
        Files.delete(root.resolve("home/u/.npmrc"));
        assertThat(why("npm", root.resolve("home/u/project"))).startsWith("/etc/npmrc lies in ");
    }

    private Map<String, String> variablesOf(String tool) {
        return of(tool) instanceof Registry.Known(var _, var told) ? told : Map.of("unknown", why(tool));
    }

    @Test
    void a_cage_that_sees_no_home_is_told_where_its_tools_fetch_from_and_no_password() throws IOException {
        installNpm();
        installPip();
        assertThat(variablesOf("npm")).isEmpty();
        assertThat(variablesOf("pip")).isEmpty();

        file("/home/u/.npmrc", "registry=https://user:word@user.test/npm/\n@acme:registry=https://acme.test\n");
        variables.put("PIP_EXTRA_INDEX_URL", "https://me:word@one.test/simple\n  https://two.test");
        assertThat(variablesOf("npm"))
                .isEqualTo(Map.of(
                        "npm_config_registry", "https://user.test/npm/",
                        "npm_config_@acme:registry", "https://acme.test"));
        assertThat(variablesOf("pip"))
                .isEqualTo(Map.of("PIP_EXTRA_INDEX_URL", "https://one.test/simple https://two.test"));
    }

    @Test
    void npm_that_is_nowhere_is_said() {
        assertThat(why("npm")).startsWith("npm is not on PATH and no npmrc names a registry (name its hosts");
    }

    @Test
    void no_password_of_an_address_is_shown() throws IOException {
        file("/home/u/.npmrc", "registry=https://user:word@user.test:443/\n");
        assertThat(hosts("npm")).containsExactly("user.test:443 (/home/u/.npmrc)");

        file("/home/u/.npmrc", "registry=http://user:word@us er.test/\n");
        assertThat(why("npm"))
                .contains("names a registry that is no http(s) address")
                .doesNotContain("word");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://", "https://a..b:70000", "registry.test", "http://[::1", "https://a b/", "http:///x"})
    void what_is_no_address_is_refused(String url) throws IOException {
        file("/home/u/.npmrc", "registry=" + url + "\n");

        assertThat(of("npm")).isInstanceOf(Registry.Unknown.class);
    }

    @ParameterizedTest
    @CsvSource({
        "https://r.test,r.test:443",
        "HTTPS://R.Test/x?y,r.test:443",
        "http://r.test:8081/npm,r.test:8081",
        "http://127.0.0.1:4873/,127.0.0.1:4873",
        "https://[2001:db8::1]:8443/,[2001:db8::1]:8443",
        "http://localhost:4873,localhost:4873"
    })
    void an_address_is_a_host_and_a_port(String url, String host) throws IOException {
        file("/home/u/.npmrc", "registry=" + url + "\n");

        assertThat(hosts("npm")).containsExactly(host + " (/home/u/.npmrc)");
    }

    private void installPip() throws IOException {
        program("/usr/bin/pip", "#!/usr/bin/python3\nimport re\n");
        file("/usr/lib/python3/dist-packages/pip/_internal/models/index.py", """
                PyPI = PackageIndex("https://index.test/", file_storage_domain="files.test")
                TestPyPI = PackageIndex(
                    "https://other.test/", file_storage_domain="other-files.test"
                )
                """);
    }

    @Test
    void pips_default_comes_from_pips_own_files() throws IOException {
        installPip();

        assertThat(hosts("pip"))
                .extracting(host -> host.replaceAll(" .*", ""))
                .containsExactly("index.test:443", "files.test:443");
    }

    @Test
    void pip_adds_further_indexes_and_hears_the_user_before_the_machine() throws IOException {
        installPip();
        file("/etc/pip.conf", "[global]\nindex-url = https://machine.test/simple\ncert = /x\n");
        file(
                "/home/u/.config/pip/pip.conf",
                "[global]\nfind-links = /opt/wheels\nextra-index-url =\n    https://one.test/simple\n    https://two.test\n");
        assertThat(hosts("pip"))
                .containsExactly(
                        "machine.test:443 (/etc/pip.conf)",
                        "one.test:443 (/home/u/.config/pip/pip.conf)",
                        "two.test:443 (/home/u/.config/pip/pip.conf)");

        file(
                "/home/u/.config/pip/pip.conf",
                "[install]\nindex_url: https://user.test\n[global]\nindex-url=https://no.test");
        assertThat(hosts("pip")).containsExactly("user.test:443 (/home/u/.config/pip/pip.conf)");

        variables.put("PIP_INDEX_URL", "https://variable.test/simple");
        assertThat(hosts("pip")).containsExactly("variable.test:443 (PIP_INDEX_URL)");
    }

    @Test
    void pip_without_configuration_files_hears_its_variables_only() throws IOException {
        installPip();
        file("/etc/pip.conf", "[global]\nindex-url = https://machine.test/simple\n");
        variables.put("PIP_CONFIG_FILE", "/dev/null");

        assertThat(hosts("pip")).hasSize(2).allMatch(host -> host.contains("pip's default"));
    }

    private void installMaven(String settings) throws IOException {
        program("/usr/share/maven/bin/mvn", "#!/bin/sh\n");
        link("/usr/bin/mvn", "../share/maven/bin/mvn");
        file("/usr/share/maven/conf/settings.xml", settings);
        Files.createDirectories(root.resolve("usr/share/maven/lib"));
        try (var zip = new ZipOutputStream(
                Files.newOutputStream(root.resolve("usr/share/maven/lib/maven-model-builder-3.x.jar")))) {
            zip.putNextEntry(new ZipEntry("org/apache/maven/model/pom-4.0.0.xml"));
            zip.write("""
                    <project><repositories><repository><id>central</id><url>https://central.test/m</url>
                    </repository></repositories><reporting><url>https://no.test</url></reporting></project>
                    """.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void mavens_central_repository_comes_from_its_super_pom() throws IOException {
        installMaven("<settings><!-- <mirrors><mirror><url>https://no.test</url></mirror></mirrors> --></settings>");

        assertThat(hosts("maven"))
                .containsExactly(
                        "central.test:443 (maven's default, /usr/share/maven/lib/maven-model-builder-3.x.jar)");
    }

    @Test
    void mavens_mirrors_and_repositories_are_read_and_blocking_mirrors_are_not() throws IOException {
        variables.put("REPO", "https://env.test:8443");
        installMaven("""
                <settings><mirrors><mirror><mirrorOf>external:http:*</mirrorOf><url>http://0.0.0.0/</url>
                <blocked>true</blocked></mirror></mirrors></settings>
                """);
        file("/home/u/.m2/settings.xml", """
                <settings>
                  <mirrors><mirror><id>m</id><mirrorOf>external:*</mirrorOf><url>https://mirror.test/all</url></mirror></mirrors>
                  <profiles><profile><repositories><repository><id>r</id><url>${env.REPO}/r</url></repository></repositories>
                  <pluginRepositories><pluginRepository><url>https://plugins.test</url></pluginRepository></pluginRepositories>
                  </profile></profiles>
                  <servers><server><id>m</id><password>word</password></server></servers>
                </settings>
                """);

        assertThat(hosts("maven"))
                .extracting(host -> host.replaceAll(" .*", ""))
                .containsExactly("mirror.test:443", "env.test:8443", "plugins.test:443");
    }

    @Test
    void a_settings_file_with_entities_or_errors_is_refused_and_nothing_is_fetched() throws IOException {
        installMaven("<settings/>");
        file("/home/u/.m2/settings.xml", """
                <!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]>
                <settings><mirrors><mirror><url>https://&x;/</url></mirror></mirrors></settings>
                """);
        assertThat(of("maven")).isInstanceOf(Registry.Unknown.class);

        file("/home/u/.m2/settings.xml", "<settings>\n<mirrors></settings>");
        assertThat(why("maven")).startsWith("/home/u/.m2/settings.xml is not well-formed XML, line 2 (");
    }

    @Test
    void cargos_default_is_compiled_in_and_that_is_said() {
        assertThat(why("cargo"))
                .isEqualTo("no configuration of cargo in /home/u/.cargo names a registry, it keeps no index, and its"
                        + " default is compiled in (name its hosts in net.hosts instead, with methods: [GET, HEAD])");
    }

    @Test
    void cargos_kept_indexes_say_where_it_fetches_from() throws IOException {
        file(
                "/home/u/.cargo/registry/index/index.test-1949cf8c6b5b557f/config.json",
                "{\"dl\": \"https://static.test/crates\", \"api\": \"https://api.test\"}");

        assertThat(hosts("cargo"))
                .extracting(host -> host.replaceAll(" .*", ""))
                .containsExactly("index.test:443", "static.test:443");
    }

    @Test
    void cargos_configuration_is_read() throws IOException {
        file("/home/u/.cargo/config.toml", """
                [source.crates-io]
                replace-with = "mirror" # ours
                [source.mirror]
                registry = "sparse+https://mirror.test/index/"
                [registries.corp]
                index = 'https://corp.test:8443/git/index'
                [net]
                retry = 3
                """);

        assertThat(hosts("cargo"))
                .containsExactly(
                        "mirror.test:443 (/home/u/.cargo/config.toml)", "corp.test:8443 (/home/u/.cargo/config.toml)");
    }

    @Test
    void apts_sources_are_read_in_both_forms() throws IOException {
        file(
                "/etc/apt/sources.list",
                "# deb http://no.test/debian x main\ndeb [arch=amd64] http://one.test/debian stable main\n");
        file("/etc/apt/sources.list.d/a.sources", """
                Types: deb
                # URIs: http://no.test/debian
                URIs: http://two.test/debian
                 https://three.test:8443/debian
                Suites: stable

                Types: deb
                URIs: http://off.test/
                Enabled: no

                Types: deb
                URIs: cdrom:/x file:/y
                """);
        file("/etc/apt/sources.list.d/b.list.disabled", "deb http://no.test/ x main\n");

        assertThat(hosts("apt"))
                .extracting(host -> host.replaceAll(" .*", ""))
                .containsExactly("one.test:80", "two.test:80", "three.test:8443");
    }

    @Test
    void apt_without_sources_is_said() {
        assertThat(why("apt")).startsWith("apt has no source of the web in /etc/apt (");
    }

    @Test
    void a_tool_that_nobody_knows_is_refused_by_name() {
        assertThat(why("pnpm"))
                .isEqualTo("\"pnpm\" is no tool that is known here: apt, cargo, maven, npm or pip"
                        + " (name its hosts in net.hosts instead, with methods: [GET, HEAD])");
        assertThat(Registries.NOT_ASKED.of(List.of("npm"))).isEmpty();
    }

    @Test
    void files_that_are_too_large_or_no_files_are_survived() throws IOException {
        installNpm();
        Files.createDirectories(root.resolve("home/u/.npmrc"));
        assertThat(hosts("npm")).hasSize(1);

        Files.delete(root.resolve("home/u/.npmrc"));
        file("/home/u/.npmrc", "#".repeat((1 << 20) + 1));
        assertThat(why("npm")).startsWith("/home/u/.npmrc has more than 1048576 bytes");
    }

    @Test
    void this_machines_own_npm_and_apt_say_something_or_why_not() {
        var own = Registries.ofHost(
                Map.of(ByteString.of("PATH"), ByteString.of("/usr/local/bin:/usr/bin:/bin")), List.of());

        assertThat(own.of(List.of("npm", "apt", "pip", "maven", "cargo")).values())
                .allSatisfy(registry -> {
                    switch (registry) {
                        case Registry.Known(var hosts, var _) ->
                            assertThat(hosts)
                                    .isNotEmpty()
                                    .allSatisfy(host -> assertThat(host.name()).matches("[a-z0-9.:-]+"));
                        case Registry.Unknown(String why) -> assertThat(why).contains("net.hosts");
                    }
                });
    }
}
