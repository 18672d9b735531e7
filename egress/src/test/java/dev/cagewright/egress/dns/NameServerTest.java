package dev.cagewright.egress.dns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.policy.action.HostName;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Queries are written, and answers read, by dnsjava.
class NameServerTest {
    private final CageNames names = new CageNames("a.test", "*.w.test", "xn--bcher-kva.test", "github.internal");
    private final NameServer server = new NameServer(names);

    private static Message query(String name, int type) throws IOException {
        return Message.newQuery(Record.newRecord(Name.fromString(name + "."), type, DClass.IN));
    }

    private Message ask(Message query) throws IOException {
        var answer = new Message(server.answer(query.toWire(), Transport.UDP).orElseThrow());
        assertThat(answer.getHeader().getID()).isEqualTo(query.getHeader().getID());
        assertThat(answer.getHeader().getFlag(Flags.QR)).isTrue();
        assertThat(answer.getHeader().getFlag(Flags.TC)).isFalse();
        return answer;
    }

    private Message ask(String name, int type) throws IOException {
        return ask(query(name, type));
    }

    private static String only(Message answer) {
        assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(answer.getSection(Section.ANSWER)).hasSize(1);
        return answer.getSection(Section.ANSWER).getFirst().rdataToString();
    }

    private static void requireNothing(Message answer, int code) {
        assertThat(answer.getRcode()).isEqualTo(code);
        assertThat(answer.getSection(Section.ANSWER)).isEmpty();
        assertThat(answer.getSection(Section.AUTHORITY))
                .hasSize(1)
                .first()
                .satisfies(record -> assertThat(record.getType()).isEqualTo(Type.SOA));
    }

    @Test
    void an_allowed_name_has_its_own_address_and_each_query_gives_the_same() throws IOException {
        var first = only(ask("a.test", Type.A));

        assertThat(first).isEqualTo("11.84.0.1");
        assertThat(only(ask("x.w.test", Type.A))).isEqualTo("11.84.0.2");
        assertThat(only(ask("a.test", Type.A))).isEqualTo(first);
    }

    @Test
    void an_answer_repeats_the_question_in_the_clients_spelling() throws IOException {
        var query = query("A.TeSt", Type.A);
        var answer = ask(query);

        assertThat(answer.getQuestion().getName().toString()).isEqualTo("A.TeSt.");
        assertThat(answer.getSection(Section.ANSWER).getFirst().getName().toString())
                .isEqualTo("A.TeSt.");
        assertThat(answer.getHeader().getFlag(Flags.RD)).isTrue();
        assertThat(answer.getHeader().getFlag(Flags.RA)).isTrue();
        assertThat(names.asked).containsExactly(new HostName("a.test"));
    }

    @Test
    void a_refused_name_has_the_sinkhole_and_a_client_that_reads_it_is_told_the_decision() throws IOException {
        var query = query("evil.test", Type.A);
        query.addRecord(new OPTRecord(4096, 0, 0), Section.ADDITIONAL);
        var answer = ask(query);

        assertThat(only(answer)).isEqualTo("198.51.100.1");
        assertThat(answer.getSection(Section.ANSWER).getFirst().getTTL()).isEqualTo(1);
        assertThat(answer.getOPT().getPayloadSize()).isEqualTo(1232);
        assertThat(answer.getOPT().getOptions())
                .hasSize(1)
                .first()
                .isInstanceOfSatisfying(ExtendedErrorCodeOption.class, error -> {
                    assertThat(error.getErrorCode()).isEqualTo(ExtendedErrorCodeOption.BLOCKED);
                    assertThat(error.getText()).isEqualTo("decision k3v9x2m4qp-1: NO_RULE: no rule names evil.test");
                });
    }

    @Test
    void a_client_without_edns_gets_none_and_an_allowed_name_no_error() throws IOException {
        assertThat(ask("evil.test", Type.A).getOPT()).isNull();

        var query = query("a.test", Type.A);
        query.addRecord(new OPTRecord(4096, 0, 0, 0x8000), Section.ADDITIONAL);
        var answer = ask(query);
        assertThat(answer.getOPT().getOptions()).isEmpty();
        assertThat(answer.getOPT().getFlags()).isEqualTo(0x8000);
        assertThat(answer.getSection(Section.ANSWER).getFirst().getTTL()).isEqualTo(60);
    }

    @ParameterizedTest
    @ValueSource(ints = {Type.HTTPS, Type.SVCB})
    void B057_service_bindings_are_empty_so_that_no_hint_ech_or_h3_leads_past_the_gateway(int type) throws IOException {
        requireNothing(ask("a.test", type), Rcode.NOERROR);
        requireNothing(ask("_8443._https.a.test", type), Rcode.NOERROR);
        requireNothing(ask("_x._https.a.test", type), Rcode.NOERROR);
        assertThat(names.asked)
                .as("the host is judged, whatever its port")
                .containsExactly(new HostName("a.test"), new HostName("a.test"), new HostName("_x._https.a.test"));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Type.TXT,
                Type.NULL,
                Type.SRV,
                Type.ANY,
                Type.MX,
                Type.NS,
                Type.SOA,
                Type.CNAME,
                Type.NAPTR,
                Type.CAA,
                Type.DS,
                Type.DNSKEY,
                65_280
            })
    void B055_a_missing_type_is_no_data_and_never_no_such_name(int type) throws IOException {
        requireNothing(ask("a.test", type), Rcode.NOERROR);
        requireNothing(ask("evil.test", type), Rcode.NOERROR);
        assertThat(names.asked)
                .as("each is judged, and so on record")
                .containsExactly(new HostName("a.test"), new HostName("evil.test"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Type.AAAA, Type.HTTPS, Type.SVCB})
    void what_is_asked_beside_an_address_is_no_data_and_judged_also_alone(int type) throws IOException {
        requireNothing(ask("a.test", type), Rcode.NOERROR);
        requireNothing(ask("evil.test", type), Rcode.NOERROR);
        assertThat(names.asked)
                .as("each is judged, and so on record")
                .containsExactly(new HostName("a.test"), new HostName("evil.test"));
    }

    @Test
    void B055_five_hundred_random_labels_get_synthetic_addresses_and_reach_nobody() throws IOException {
        var random = new Random(55);
        for (int i = 0; i < 500; i++) {
            var label = new StringBuilder();
            for (int at = 0; at < 60; at++) {
                label.append((char) ('a' + random.nextInt(26)));
            }
            assertThat(only(ask(label + ".w.test", Type.A))).startsWith("11.84.");
            assertThat(only(ask(label + ".evil.test", Type.A))).isEqualTo("198.51.100.1");
        }
        assertThat(names.asked).hasSize(1000);
    }

    @Test
    void localhost_is_the_cages_own_and_nobody_is_asked() throws IOException {
        assertThat(only(ask("localhost", Type.A))).isEqualTo("127.0.0.1");
        assertThat(only(ask("LocalHost", Type.AAAA))).isEqualTo("0:0:0:0:0:0:0:1");
        assertThat(only(ask("app.localhost", Type.A))).isEqualTo("127.0.0.1");
        requireNothing(ask("localhost", Type.MX), Rcode.NOERROR);
        assertThat(names.asked).isEmpty();

        assertThat(only(ask("notlocalhost", Type.A))).isEqualTo("198.51.100.1");
        assertThat(only(ask("localhost.test", Type.A))).isEqualTo("198.51.100.1");
    }

    @Test
    void an_alias_is_a_name_like_others() throws IOException {
        assertThat(only(ask("github.internal", Type.A))).isEqualTo("11.84.0.1");
        assertThat(only(ask("gitlab.internal", Type.A))).isEqualTo("198.51.100.1");
    }

    @Test
    void a_reverse_look_up_gives_the_name_of_a_synthetic_address() throws IOException {
        only(ask("a.test", Type.A));

        assertThat(only(ask("1.0.84.11.in-addr.arpa", Type.PTR))).isEqualTo("a.test.");
        assertThat(only(ask("1.0.0.127.in-addr.arpa", Type.PTR))).isEqualTo("localhost.");
        assertThat(names.asked).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2.0.84.11.in-addr.arpa",
                "8.8.8.8.in-addr.arpa",
                "84.11.in-addr.arpa",
                "1.1.0.84.11.in-addr.arpa",
                "01.0.84.11.in-addr.arpa",
                "256.0.84.11.in-addr.arpa",
                "x.0.84.11.in-addr.arpa",
                "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa"
            })
    void an_address_without_a_name_has_none(String name) throws IOException {
        only(ask("a.test", Type.A));

        requireNothing(ask(name, Type.PTR), Rcode.NXDOMAIN);
    }

    @ParameterizedTest
    @CsvSource({
        "xn--bcher-kva.test, 11.84.0.1",
        "XN--BCHER-KVA.TEST, 11.84.0.1",
        "b\\195\\188cher.test, ",
        "b\\252cher.test, ",
        "\\239\\189\\129.test, ",
        "a_b.w.test, 11.84.0.1",
        "a b.w.test, ",
        "a\\000.w.test, ",
        "a\\046w.test, ",
        "*.w.test, ",
        "x@w.test, "
    })
    void B058_a_name_is_compared_in_one_form_and_what_no_host_is_called_does_not_exist(String name, String address)
            throws IOException {
        if (address == null) {
            requireNothing(ask(name, Type.A), Rcode.NXDOMAIN);
            assertThat(names.asked).isEmpty();
        } else {
            assertThat(only(ask(name, Type.A))).isEqualTo(address);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "1.2.3.4.5", "x.invalid"})
    void B051_a_number_is_no_name(String name) throws IOException {
        requireNothing(ask(name, Type.A), Rcode.NXDOMAIN);
        assertThat(names.asked).isEmpty();
    }

    @Test
    void the_root_exists_and_has_nothing() throws IOException {
        requireNothing(ask("", Type.A), Rcode.NOERROR);
    }

    @ParameterizedTest
    @CsvSource({"CH, TXT", "ANY, A", "HS, A", "IN, AXFR", "IN, IXFR", "IN, MAILB"})
    void another_class_or_a_transfer_is_refused(String dnsClass, String type) throws IOException {
        var answer = ask(Message.newQuery(
                Record.newRecord(Name.fromString("a.test."), Type.value(type), DClass.value(dnsClass))));

        assertThat(answer.getRcode()).isEqualTo(Rcode.REFUSED);
        assertThat(names.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcode.IQUERY, Opcode.STATUS, Opcode.NOTIFY, Opcode.UPDATE, 6, 15})
    void another_opcode_is_not_implemented(int opcode) throws IOException {
        var query = query("a.test", Type.A);
        query.getHeader().setOpcode(opcode);
        var answer = ask(query);

        assertThat(answer.getRcode()).isEqualTo(Rcode.NOTIMP);
        assertThat(answer.getHeader().getOpcode()).isEqualTo(opcode);
    }

    @Test
    void a_later_version_of_edns_is_told_so() throws IOException {
        var query = query("a.test", Type.A);
        query.addRecord(new OPTRecord(4096, 0, 1), Section.ADDITIONAL);

        assertThat(ask(query).getRcode()).isEqualTo(Rcode.BADVERS);
        assertThat(names.asked).isEmpty();
    }

    /// Header, then what stands behind it. The question is that for `a.test`, type A, class IN.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "no question at all, 0000000000000000, ",
        "512 zero bytes read as no question, 0000000000000000, 0000000000000000",
        "two questions, 0002000000000000, 016104746573740000010001 016104746573740000010001",
        "an answer in the query, 0001000100000000, 016104746573740000010001 c00c00010001000000000004 01020304",
        "an authority in the query, 0001000000010000, 016104746573740000010001 c00c00010001000000000004 01020304",
        "two additional records, 0001000000000002, 016104746573740000010001 0000291000000000000000 0000291000000000000000",
        "an additional record that is no OPT, 0001000000000001, 016104746573740000010001 c00c00010001000000000004 01020304",
        "an OPT of another name, 0001000000000001, 016104746573740000010001 01610000291000000000000000",
        "a cut OPT, 0001000000000001, 016104746573740000010001 00002910000000000000",
        "an OPT shorter than it says, 0001000000000001, 016104746573740000010001 0000291000000000000004000a00",
        "an option longer than its record, 0001000000000001, 016104746573740000010001 0000291000000000000005000a000400",
        "an OPT that is not there, 0001000000000001, 016104746573740000010001",
        "bytes behind the question, 0001000000000000, 016104746573740000010001 00",
        "bytes behind the OPT, 0001000000000001, 016104746573740000010001 000029100000000000000000",
        "a pointer to itself, 0001000000000000, c00c00010001",
        "a pointer behind a label, 0001000000000000, 0161c00c00010001",
        "a label kind that was withdrawn, 0001000000000000, 4161000010001",
        "a label kind that never was, 0001000000000000, 8161000010001",
        "a label cut in the middle, 0001000000000000, 0561",
        "a name without an end, 0001000000000000, 0161",
        "a cut type, 0001000000000000, 0161047465737400000100",
    })
    void what_is_malformed_is_said_to_be(String what, String counts, String rest) {
        var tail = rest == null ? "" : rest.replace(" ", "");
        var hex = "ab120100" + counts + (tail.length() % 2 == 0 ? tail : tail + "0");
        var answer = server.answer(HexFormat.of().parseHex(hex), Transport.UDP).orElseThrow();

        assertThat(HexFormat.of().formatHex(answer)).as(what).isEqualTo("ab1281810000000000000000");
        assertThat(names.asked).isEmpty();
    }

    @Test
    void the_question_of_those_is_answered_when_nothing_is_wrong_with_it() {
        var query = HexFormat.of()
                .parseHex("ab1201000001000000000001" + "016104746573740000010001" + "0000291000000000000000");

        assertThat(server.answer(query, Transport.UDP).orElseThrow()).startsWith(0xab, 0x12, 0x81, 0x80, 0, 1, 0, 1);
    }

    @Test
    void names_of_255_bytes_are_read_and_longer_ones_are_not() throws IOException {
        var label63 = "a".repeat(63);
        var longest = label63 + "." + label63 + "." + label63 + "." + "a".repeat(61);
        assertThat(only(ask(longest, Type.A))).isEqualTo("198.51.100.1");

        var wire = query(longest, Type.A).toWire();
        var longer = Arrays.copyOf(wire, wire.length + 1);
        int last = 12 + 3 * 64;
        longer[last] = 62;
        System.arraycopy(wire, last + 1, longer, last + 2, wire.length - last - 1);
        longer[last + 1] = 'a';
        assertThat(server.answer(longer, Transport.UDP).orElseThrow()[3] & 0xf).isEqualTo(Rcode.FORMERR);
        longer[last] = 64;
        assertThat(server.answer(longer, Transport.UDP).orElseThrow()[3] & 0xf).isEqualTo(Rcode.FORMERR);
    }

    @Test
    void noise_is_met_with_silence() throws IOException {
        var query = query("a.test", Type.A).toWire();
        for (int length = 0; length < 12; length++) {
            assertThat(server.answer(Arrays.copyOf(query, length), Transport.UDP))
                    .isEmpty();
        }
        query[2] |= (byte) 0x80;
        assertThat(server.answer(query, Transport.UDP)).isEmpty();
    }

    @Test
    void a_query_larger_than_any_client_sends_is_malformed() throws IOException {
        var query = Arrays.copyOf(query("a.test", Type.A).toWire(), 4097);

        assertThat(server.answer(query, Transport.TCP).orElseThrow()[3] & 0xf).isEqualTo(Rcode.FORMERR);
    }

    @ParameterizedTest
    @CsvSource({"UDP, 512", "TCP, 1232"})
    void a_long_reason_is_cut_between_characters_and_the_answer_never(Transport transport, int most)
            throws IOException {
        var wordy = new NameServer(
                name -> new Names.Refused("k3v9x2m4qp-1", "\u20ac\n".repeat(2000), SyntheticAddresses.SINKHOLE));
        var query = query("evil.test", Type.A);
        query.addRecord(new OPTRecord(512, 0, 0), Section.ADDITIONAL);
        var wire = wordy.answer(query.toWire(), transport).orElseThrow();
        var answer = new Message(wire);

        assertThat(wire).hasSizeBetween(most - 3, most);
        assertThat(only(answer)).isEqualTo("198.51.100.1");
        assertThat(((ExtendedErrorCodeOption) answer.getOPT().getOptions().getFirst()).getText())
                .startsWith("decision k3v9x2m4qp-1: \u20ac \u20ac ")
                .doesNotContain("\ufffd", "\n");
    }

    @Test
    void a_name_that_cannot_be_judged_is_a_failure_and_not_an_address() throws IOException {
        var broken = new NameServer(name -> {
            throw new IllegalStateException("the log is closed");
        });
        var query = query("a.test", Type.A);
        query.addRecord(new OPTRecord(4096, 0, 0), Section.ADDITIONAL);
        var answer = new Message(broken.answer(query.toWire(), Transport.UDP).orElseThrow());

        assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(answer.getSection(Section.ANSWER)).isEmpty();
        assertThat(answer.getOPT().getOptions().getFirst().toString()).contains("the name could not be judged");
    }
}
