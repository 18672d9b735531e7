package dev.cagewright.egress.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.resolve.UpstreamServer.Manner;
import dev.cagewright.policy.action.HostName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostResolverTest {
    @TempDir
    private Path folder;

    private HostResolver asking(UpstreamServer... servers) {
        return HostResolver.asking(
                List.of(servers).stream().map(UpstreamServer::address).toList(), folder.resolve("hosts"));
    }

    private static List<String> resolve(Resolver resolver, String name) {
        return resolver
                .resolve(new HostName(name))
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join()
                .stream()
                .map(Object::toString)
                .toList();
    }

    @Test
    void a_name_has_all_its_addresses_of_both_families() throws IOException {
        try (var server = new UpstreamServer(Manner.ANSWERS)
                        .with(
                                "a.test. 60 IN AAAA 2001:db8::1",
                                "a.test. 60 IN A 192.0.2.1",
                                "a.test. 60 IN A 192.0.2.2");
                var resolver = asking(server)) {
            assertThat(resolve(resolver, "a.test")).containsExactly("192.0.2.1", "192.0.2.2", "2001:db8::1");
        }
    }

    @Test
    void an_alias_is_followed_also_in_another_answer() throws IOException {
        try (var server = new UpstreamServer(Manner.ANSWERS)
                        .with("www.test. 60 IN CNAME a.test.", "a.test. 60 IN A 192.0.2.1");
                var resolver = asking(server)) {
            assertThat(resolve(resolver, "www.test")).containsExactly("192.0.2.1");
        }
    }

    /// The first server's answer never comes or is none, so that there is an answer at all shows the second was asked.
    @ParameterizedTest
    @EnumSource(
            value = Manner.class,
            names = {"SILENT", "CANNOT_ANSWER"})
    void B063_a_server_that_is_silent_or_cannot_answer_is_passed_over(Manner first) throws IOException {
        try (var bad = new UpstreamServer(first);
                var good = new UpstreamServer(Manner.ANSWERS).with("a.test. 60 IN A 192.0.2.1");
                var resolver = asking(bad, good)) {
            assertThat(resolve(resolver, "a.test")).containsExactly("192.0.2.1");
            assertThat(bad.queries).hasPositiveValue();
        }
    }

    @Test
    void B063_only_the_first_look_up_waits_for_a_silent_server() throws IOException {
        try (var silent = new UpstreamServer(Manner.SILENT);
                var good = new UpstreamServer(Manner.ANSWERS)
                        .with("a.test. 60 IN A 192.0.2.1", "b.test. 60 IN A 192.0.2.2");
                var resolver = asking(silent, good)) {
            resolve(resolver, "a.test");
            int before = silent.queries.get();

            assertThat(resolve(resolver, "b.test")).containsExactly("192.0.2.2");
            assertThat(silent.queries).hasValue(before).hasPositiveValue();
        }
    }

    @Test
    void B063_an_answer_that_was_cut_is_asked_for_by_tcp() throws IOException {
        try (var server = new UpstreamServer(Manner.CUTS).with("a.test. 60 IN A 192.0.2.1");
                var resolver = asking(server)) {
            assertThat(resolve(resolver, "a.test")).containsExactly("192.0.2.1");
            assertThat(server.queriesByTcp).hasPositiveValue();
        }
    }

    @Test
    void B063_an_answer_is_kept_as_long_as_it_says_and_one_for_no_time_is_not() throws IOException {
        try (var server = new UpstreamServer(Manner.ANSWERS)
                        .with(
                                "long.test. 100000 IN A 192.0.2.1",
                                "long.test. 100000 IN AAAA 2001:db8::1",
                                "short.test. 0 IN A 192.0.2.2");
                var resolver = asking(server)) {
            resolve(resolver, "long.test");
            int before = server.queries.get();
            assertThat(resolve(resolver, "long.test")).containsExactly("192.0.2.1", "2001:db8::1");
            assertThat(server.queries).hasValue(before);

            resolve(resolver, "short.test");
            int between = server.queries.get();
            resolve(resolver, "short.test");
            assertThat(server.queries).hasValueGreaterThan(between);
        }
    }

    @Test
    void B063_a_name_that_nobody_knows_and_servers_that_nobody_hears_are_told_apart() throws IOException {
        try (var server = new UpstreamServer(Manner.ANSWERS).with("a.test. 60 IN A 192.0.2.1");
                var silent = new UpstreamServer(Manner.SILENT);
                var sick = new UpstreamServer(Manner.CANNOT_ANSWER);
                var resolver = asking(server);
                var deaf = asking(silent);
                var helpless = asking(sick)) {
            assertThatThrownBy(() -> resolve(resolver, "b.test"))
                    .cause()
                    .isInstanceOf(UnresolvedException.class)
                    .hasMessage("b.test: the name servers know no address");
            assertThatThrownBy(() -> resolve(deaf, "a.test"))
                    .cause()
                    .isInstanceOf(UnresolvedException.class)
                    .hasMessage("a.test: no name server answered");
            assertThatThrownBy(() -> resolve(helpless, "a.test"))
                    .cause()
                    .isInstanceOf(UnresolvedException.class)
                    .hasMessage("a.test: the name servers cannot answer (ServFail(2))");
        }
    }

    @Test
    void an_answer_that_refers_to_another_server_does_not_lead_there() throws IOException {
        try (var server = new UpstreamServer(Manner.REFERS);
                var resolver = asking(server)) {
            assertThatThrownBy(() -> resolve(resolver, "a.test"))
                    .cause()
                    .isInstanceOf(UnresolvedException.class)
                    .hasMessage("a.test: the name servers know no address");
            assertThat(server.queries).hasValueGreaterThan(2);
        }
    }

    @Test
    void a_name_with_one_label_is_asked_for_as_it_is() throws IOException {
        try (var server = new UpstreamServer(Manner.ANSWERS).with("intranet. 60 IN A 192.0.2.9");
                var resolver = asking(server)) {
            assertThat(resolve(resolver, "intranet")).containsExactly("192.0.2.9");
        }
    }

    @Test
    void the_hosts_file_comes_first_and_is_read_again_when_it_changes() throws IOException {
        var hosts = folder.resolve("hosts");
        Files.writeString(hosts, "# comment\n192.0.2.7\tA.test  other.test # b.test\n2001:db8::7 a.test\nbad a.test\n");
        try (var server = new UpstreamServer(Manner.ANSWERS)
                        .with("a.test. 60 IN A 192.0.2.1", "b.test. 60 IN A 192.0.2.2");
                var resolver = asking(server)) {
            assertThat(resolve(resolver, "a.test")).containsExactly("192.0.2.7", "2001:db8::7");
            assertThat(resolve(resolver, "b.test")).containsExactly("192.0.2.2");

            Files.writeString(hosts, "192.0.2.8 a.test\n");
            Files.setLastModifiedTime(hosts, FileTime.fromMillis(1));
            assertThat(resolve(resolver, "a.test")).containsExactly("192.0.2.8");

            Files.delete(hosts);
            assertThat(resolve(resolver, "a.test")).containsExactly("192.0.2.1");
        }
    }

    @Test
    void B061_name_servers_are_read_through_a_link_and_where_there_is_no_file_the_local_one_is_asked()
            throws IOException {
        var stub = Files.writeString(folder.resolve("stub-resolv.conf"), """
                # stub
                search corp.test
                nameserver 127.0.0.53
                nameserver\t2001:db8::53
                options edns0
                nameserver localhost
                nameserver 192.0.2.1
                nameserver 192.0.2.2
                """);
        var link = Files.createSymbolicLink(folder.resolve("resolv.conf"), Path.of("stub-resolv.conf"));
        var file = new WatchedFile<>(link, HostFiles::nameServers);

        assertThat(file.get())
                .extracting(InetSocketAddress::getHostString)
                .containsExactly("127.0.0.53", "2001:db8:0:0:0:0:0:53", "192.0.2.1");
        Files.delete(stub);
        assertThat(file.get()).containsExactly(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 53));
        Files.writeString(stub, "nameserver 192.0.2.3\n");
        assertThat(file.get()).containsExactly(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.3"), 53));
    }

    @Test
    void a_file_that_is_too_large_or_a_folder_has_no_lines() throws IOException {
        var large = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);

        assertThat(new WatchedFile<>(large, List::size).get()).isZero();
        assertThat(new WatchedFile<>(folder, List::size).get()).isZero();
    }

    @Test
    void this_machines_own_files_are_read() throws IOException {
        try (var resolver = HostResolver.ofThisMachine()) {
            assertThat(resolve(resolver, "localhost")).contains("127.0.0.1");
        }
    }

    @Test
    void a_look_up_under_way_ends_when_the_resolver_is_closed() throws IOException {
        try (var silent = new UpstreamServer(Manner.SILENT)) {
            var resolver = asking(silent);
            var answer = resolver.resolve(new HostName("a.test")).toCompletableFuture();
            resolver.close();

            assertThatThrownBy(() -> answer.orTimeout(60, TimeUnit.SECONDS).join())
                    .hasCauseInstanceOf(UnresolvedException.class);
            assertThatThrownBy(() -> resolve(resolver, "a.test")).hasCauseInstanceOf(UnresolvedException.class);
        }
    }
}
