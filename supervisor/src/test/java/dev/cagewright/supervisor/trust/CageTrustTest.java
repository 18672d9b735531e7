package dev.cagewright.supervisor.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Approvals;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Journal;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CageTrustTest {
    private static final List<String> BARE = List.of("PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/cage");

    private final CageAuthority authority = CageAuthority.create("c-1");

    @TempDir
    private Path folder;

    private Path session = Path.of("/");
    private Path workspace = Path.of("/");

    @BeforeEach
    void folders() throws IOException {
        session = Files.createDirectory(folder.resolve("session"));
        workspace = Files.createDirectory(folder.resolve("workspace")).toRealPath();
        Files.write(
                workspace.resolve("leaf.pem"),
                RootCertificates.pem(authority.leafFor(new HostName("a.test")).certificate()));
        Files.write(
                workspace.resolve("stranger.pem"),
                RootCertificates.pem(CageAuthority.create("c-2")
                        .leafFor(new HostName("a.test"))
                        .certificate()));
    }

    private static final class Numbers implements Journal {
        private int last;

        @Override
        public DecisionId nextId() {
            return new DecisionId("abcdefghij-" + ++last);
        }

        @Override
        public long intent(DecisionId id, Action action, Decision.Verdict verdict) {
            return last;
        }
    }

    /// What a shell script says in a real cage.
    private String inCage(Optional<CageTrust> trust, String script)
            throws ConfinementException, DeniedException, InterruptedException {
        var gate = new Gate(List.of(_ -> new Decision.Allow(new RuleId("test"))), Approvals.NOBODY, new Numbers());
        var argv = List.of("/bin/sh", "-c", script).stream().map(ByteString::of).toList();
        var warrant = gate.pass(new Action.ProcExec(argv, new GuestPath(workspace.toString())));
        var out = new ByteArrayOutputStream();
        var bare = CageSpec.of("c-1", HostDirectory.open(ByteString.of(workspace.toString()), Access.READ_ONLY));
        var start = new Launch(
                ByteString.of("/bin/sh"),
                BARE.stream().map(ByteString::of).toList(),
                new Streams.Pipes(InputStream.nullInputStream(), out, out));
        var spec = trust.map(some -> some.over(bare)).orElse(bare);
        var launch = trust.map(some -> some.over(start, new ArrayList<>())).orElse(start);
        try (var runtime = NamespacesRuntime.start();
                var cage = runtime.create(spec)) {
            cage.start(warrant, launch).await();
        }
        return out.toString(UTF_8);
    }

    private CageTrust trust() throws IOException {
        return CageTrust.prepare(session, authority, TrustPlaces.ofHost(List.of()));
    }

    @Test
    void B076_programs_in_a_cage_trust_its_authority_by_the_systems_store_alone()
            throws ConfinementException, DeniedException, IOException, InterruptedException {
        var script = "env -i openssl verify leaf.pem; env -i openssl verify stranger.pem 2>&1 | tail -n 1;"
                + " env -i openssl verify -no-CAfile leaf.pem; env -i PATH=/usr/bin python3 -c '"
                + "import ssl; print(\"Cagewright cage c-1\" in str(ssl.create_default_context().get_ca_certs()))'";
        try (var trust = trust()) {
            assertThat(inCage(Optional.of(trust), script)).isEqualTo("""
                            leaf.pem: OK
                            error stranger.pem: verification failed
                            leaf.pem: OK
                            True
                            """);
        }
        assertThat(inCage(Optional.empty(), "env -i openssl verify leaf.pem 2>&1 | tail -n 1"))
                .as("without the trust")
                .isEqualTo("error leaf.pem: verification failed\n");
    }

    @Test
    void B070_java_programs_in_a_cage_trust_its_authority_with_default_flags()
            throws ConfinementException, DeniedException, IOException, InterruptedException {
        try (var trust = trust()) {
            assertThat(inCage(
                            Optional.of(trust),
                            "env -i PATH=/usr/bin keytool -J-Xint -list -cacerts -storepass changeit -alias cagewright"
                                    + " 2>/dev/null | head -n 1"))
                    .startsWith("cagewright, ")
                    .contains("trustedCertEntry");
        }
    }

    @Test
    void variables_name_files_that_are_there_and_hold_the_authority()
            throws ConfinementException, DeniedException, IOException, InterruptedException {
        try (var trust = trust()) {
            var script =
                    "for v in SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE PIP_CERT AWS_CA_BUNDLE GIT_SSL_CAINFO"
                            + " CARGO_HTTP_CAINFO npm_config_cafile NODE_EXTRA_CA_CERTS CODEX_CA_CERTIFICATE DENO_CERT;"
                            + " do eval f=\\$$v; openssl verify -no-CApath -CAfile \"$f\" leaf.pem; done;"
                            + " echo $NODE_USE_SYSTEM_CA; grep -c BEGIN \"$NODE_EXTRA_CA_CERTS\"";
            assertThat(inCage(Optional.of(trust), script)).isEqualTo("leaf.pem: OK\n".repeat(11) + "1\n1\n");
        }
    }

    @Test
    void the_hosts_roots_stay_trusted_beside_it()
            throws ConfinementException, DeniedException, IOException, InterruptedException {
        var host = RootCertificates.of(
                TrustPlaces.ofHost(List.of()).bundles().iterator().next());
        try (var trust = trust()) {
            assertThat(inCage(Optional.of(trust), "grep -c 'BEGIN CERT' /etc/ssl/certs/ca-certificates.crt"))
                    .isEqualTo((host.certificates().size() + 1) + "\n");
            assertThat(trust.notices()).isEmpty();
        }
    }

    @Test
    void no_program_of_the_cage_changes_what_is_trusted()
            throws ConfinementException, DeniedException, IOException, InterruptedException {
        try (var trust = trust()) {
            var script =
                    "for f in /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/new.0 /run/cagewright/trust/ca.pem;"
                            + " do (echo x >> $f) 2>/dev/null && echo written; done; rm -f /run/cagewright/trust/ca.pem 2>/dev/null;"
                            + " head -n 1 /run/cagewright/trust/ca.pem";
            assertThat(inCage(Optional.of(trust), script)).isEqualTo("-----BEGIN CERTIFICATE-----\n");
        }
    }

    @Test
    void nothing_is_left_when_it_is_closed_and_a_remnant_is_no_trouble() throws Exception {
        Files.createDirectories(session.resolve("trust/files/old"));
        trust().close();

        assertThat(session).isEmptyDirectory();
    }

    @Test
    void a_variable_that_the_caller_set_is_replaced_and_told() throws Exception {
        try (var trust = trust()) {
            var told = new ArrayList<String>();
            var launch = trust.over(
                    new Launch(
                            ByteString.of("/bin/sh"),
                            List.of(ByteString.of("PIP_CERT=/mine.pem"), ByteString.of("PIP_CERTS=/mine.pem")),
                            Streams.Pipes.discarding()),
                    told);

            assertThat(launch.environment())
                    .contains(
                            ByteString.of("PIP_CERTS=/mine.pem"),
                            ByteString.of("PIP_CERT=/run/cagewright/trust/roots.pem"))
                    .doesNotContain(ByteString.of("PIP_CERT=/mine.pem"));
            assertThat(told)
                    .containsExactly(
                            "environment: PIP_CERT is set by the cage, to certificates that include the cage's own");
        }
    }

    @Test
    void a_place_where_the_policy_mounts_something_is_left_to_it() throws Exception {
        try (var trust = trust()) {
            var certs = new GuestPath("/etc/ssl/certs");
            var own = new Mount(certs, new Mount.Tmpfs(4_096), Access.READ_ONLY);
            var spec = CageSpec.of("c-1", HostDirectory.open(ByteString.of(workspace.toString()), Access.READ_ONLY))
                    .withMounts(List.of(own));

            assertThat(trust.over(spec).mounts())
                    .filteredOn(mount -> mount.at().equals(certs))
                    .containsExactly(own);
        }
    }

    @Test
    void stores_of_other_systems_are_found_behind_their_links() throws Exception {
        var root = Files.createDirectory(folder.resolve("root"));
        var pem = Files.createDirectories(root.resolve("etc/pki/ca-trust/extracted/pem"))
                .resolve("tls-ca-bundle.pem");
        Files.write(pem, RootCertificates.pem(authority.certificate()));
        Files.createDirectories(root.resolve("etc/pki/tls/certs"));
        Files.createDirectories(root.resolve("etc/ssl"));
        Files.createSymbolicLink(root.resolve("etc/ssl/certs"), Path.of("../pki/tls/certs"));
        Files.createSymbolicLink(
                root.resolve("etc/pki/tls/certs/ca-bundle.crt"),
                Path.of("../../ca-trust/extracted/pem/tls-ca-bundle.pem"));
        Files.createDirectories(root.resolve("opt/jdk/lib/security"));
        Files.write(root.resolve("opt/jdk/lib/security/cacerts"), new byte[] {1});
        Files.createDirectories(root.resolve("var"));
        Files.write(root.resolve("var/outside.pem"), new byte[] {1});
        Files.createSymbolicLink(root.resolve("etc/ssl/ca-bundle.pem"), Path.of("../../var/outside.pem"));

        var places = TrustPlaces.below(root);

        assertThat(places.folder()).contains(root.toRealPath().resolve("etc/pki/tls/certs"));
        assertThat(places.bundles()).isEqualTo(Set.of(pem.toRealPath()));
        assertThat(places.javaStores()).isEqualTo(Set.of(root.toRealPath().resolve("opt/jdk/lib/security/cacerts")));
    }

    @Test
    void a_machine_without_roots_trusts_the_authority_alone_and_says_so() throws Exception {
        var none = new TrustPlaces(Optional.empty(), Set.of(), Set.of());
        try (var trust = CageTrust.prepare(session, authority, none)) {
            assertThat(trust.notices())
                    .containsExactly("trust: this machine has no file of root certificates;"
                            + " in the cage only hosts whose TLS is opened are trusted");
            assertThat(RootCertificates.of(session.resolve("trust/files/roots.pem"))
                            .certificates())
                    .hasSize(1);
        }
    }

    @Test
    void a_bundle_without_an_end_of_line_or_with_a_broken_block_keeps_the_others() {
        var one = RootCertificates.pem(authority.certificate());
        var text = new String(one, UTF_8).strip();
        var odd = "# comment\n-----BEGIN CERTIFICATE-----\nMII=A!\n-----END CERTIFICATE-----\n" + text;
        var roots = RootCertificates.of(odd.getBytes(UTF_8)).with(authority.certificate());

        assertThat(new String(roots.text().toByteArray(), UTF_8)).isEqualTo(odd + "\n" + text + "\n");
        assertThat(roots.certificates()).hasSizeBetween(2, 3);
        assertThat(RootCertificates.of("-----BEGIN CERTIFICATE-----\nAAAA".getBytes(UTF_8))
                        .certificates())
                .isEmpty();
    }

    @Test
    void the_jdk_reads_the_java_store_with_and_without_the_password() throws Exception {
        var certificates = List.of(
                ByteString.copyOf(CageAuthority.create("c-2").certificate().getEncoded()),
                ByteString.copyOf(authority.certificate().getEncoded()));
        var bytes = JavaTrustStore.of(certificates);

        for (var password : new char[][] {null, "changeit".toCharArray()}) {
            var store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(bytes), password);
            assertThat(store.size()).isEqualTo(2);
            assertThat(store.getCertificate("cagewright")).isEqualTo(authority.certificate());
        }
    }
}
