package dev.cagewright.supervisor.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.gate.Approvals.Answer;
import dev.cagewright.supervisor.approval.LiveDesk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Links that are followed by raw sockets, to questions that really wait.
class AnswerDoorTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Action PUSH = new Action.ProcExec(
            List.of(ByteString.of("git"), ByteString.of("push"), ByteString.of("<script>'\"&")),
            new GuestPath("/repo"));

    @TempDir
    private Path temp;

    @SuppressWarnings("NullAway") // set when a test begins
    private LiveDesk desk;

    @SuppressWarnings("NullAway") // set when a test begins
    private AnswerDoor door;

    @BeforeEach
    void open() throws IOException {
        desk = new LiveDesk(temp);
        door = AnswerDoor.open(desk.folders(), AnswerPlace.parse("127.0.0.1:0"), Optional.empty());
    }

    @AfterEach
    void close() throws IOException {
        door.close();
        desk.close();
    }

    private static String said(SocketAddress at, String request) throws IOException {
        try (var channel = SocketChannel.open(at)) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String authority(String link) {
        return URI.create(link).getAuthority();
    }

    private static SocketAddress place(String link) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(link).getPort());
    }

    private static String get(String link) throws IOException {
        return said(
                place(link),
                "GET " + URI.create(link).getPath() + " HTTP/1.1\r\nHost: " + authority(link) + "\r\n\r\n");
    }

    private static String post(String link, String digest, String... fields) throws IOException {
        var body = "digest=" + digest;
        return said(
                place(link),
                "POST " + URI.create(link).getPath() + " HTTP/1.1\r\nHost: " + authority(link) + "\r\n"
                        + String.join("", fields)
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void following_a_link_shows_the_exact_object_escaped_and_answers_nothing() throws Exception, InterruptedException {
        var asked = desk.ask(PUSH, LONG);
        var question = desk.waiting();
        var link = door.links().approving(question);

        for (int i = 0; i < 3; i++) {
            assertThat(get(link))
                    .startsWith("HTTP/1.1 200 OK")
                    .contains("git push", "&lt;script&gt;", "&quot;&amp;", question.digest(), "cage &lt;b&gt;")
                    .contains("Cache-Control: no-store", "frame-ancestors 'none'")
                    .doesNotContain("<script>");
        }
        assertThat(said(
                        place(link),
                        "HEAD " + URI.create(link).getPath() + " HTTP/1.1\r\nHost: " + authority(link) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ");
        assertThat(asked.isDone()).isFalse();
        assertThat(desk.waiting()).isEqualTo(question);
    }

    @Test
    void I11_posting_answers_once_and_the_next_finds_nothing() throws Exception, InterruptedException {
        var asked = desk.ask(PUSH, LONG);
        var question = desk.waiting();
        var approve = door.links().approving(question);
        var deny = door.links().denying(question);

        assertThat(post(approve, question.digest()))
                .startsWith("HTTP/1.1 200 OK")
                .contains("agreed: proc.exec");
        assertThat(asked.get()).isEqualTo(Answer.AGREED);
        assertThat(post(approve, question.digest())).startsWith("HTTP/1.1 4");
        assertThat(post(deny, question.digest())).startsWith("HTTP/1.1 4");
        assertThat(desk.recorded("approval.answered")).contains("\"how\":\"link\"", "\"scope\":\"once\"");
    }

    @Test
    void the_link_that_denies_denies() throws Exception, InterruptedException {
        var asked = desk.ask(PUSH, LONG);
        var question = desk.waiting();

        assertThat(post(door.links().denying(question), question.digest())).contains("refused: proc.exec");
        assertThat(asked.get()).isEqualTo(Answer.REFUSED);
    }

    @Test
    void other_pages_and_other_names_of_this_machine_answer_nothing() throws Exception, InterruptedException {
        var asked = desk.ask(PUSH, LONG);
        var question = desk.waiting();
        var link = door.links().approving(question);
        var digest = question.digest();

        assertThat(get(link.replace("127.0.0.1", "localhost"))).startsWith("HTTP/1.1 200 ");
        assertThat(get(link.replace("127.0.0.1", "rebound.test"))).startsWith("HTTP/1.1 421 ");
        assertThat(post(link.replace("127.0.0.1", "rebound.test"), digest)).startsWith("HTTP/1.1 421 ");
        assertThat(post(link, digest, "Origin: http://evil.test\r\n")).startsWith("HTTP/1.1 403 ");
        assertThat(post(link, digest, "Origin: null\r\n")).startsWith("HTTP/1.1 403 ");
        assertThat(post(link, digest, "Sec-Fetch-Site: cross-site\r\n")).startsWith("HTTP/1.1 403 ");
        assertThat(asked.isDone()).isFalse();
        assertThat(post(link, digest, "Origin: http://" + authority(link) + "\r\nSec-Fetch-Site: same-origin\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void forged_turned_and_stale_links_lead_nowhere() throws Exception, InterruptedException {
        var asked = desk.ask(PUSH, LONG);
        var question = desk.waiting();
        var deny = door.links().denying(question);
        var digest = question.digest();

        assertThat(post(deny.replace(".refused.", ".agreed."), digest)).startsWith("HTTP/1.1 410 ");
        assertThat(post(deny.substring(0, deny.length() - 1), digest)).startsWith("HTTP/1.1 410 ");
        assertThat(post(deny.replaceFirst("refused\\.\\d+", "refused.99999999999"), digest))
                .startsWith("HTTP/1.1 410 ");
        assertThat(get(deny.replace(question.id().value(), "abcdefghij-99"))).startsWith("HTTP/1.1 410 ");
        assertThat(get(deny.replaceFirst("/a/.*", "/a/../../x"))).startsWith("HTTP/1.1 4");
        assertThat(post(deny, "00" + digest.substring(2))).startsWith("HTTP/1.1 409 ");
        assertThat(asked.isDone()).isFalse();
    }

    @Test
    void a_link_is_over_with_its_question() throws Exception, InterruptedException {
        var asked = desk.ask(PUSH, Duration.ofSeconds(1));
        var question = desk.asked();
        var link = door.links().approving(question);

        assertThat(asked.get()).isEqualTo(Answer.NO_ANSWER);
        assertThat(post(link, question.digest())).startsWith("HTTP/1.1 410 ");
    }

    @Test
    void a_unix_socket_is_its_owners_alone_and_goes_with_the_door() throws Exception, InterruptedException {
        var path = temp.resolve("answers");
        try (var other = AnswerDoor.open(desk.folders(), AnswerPlace.parse("unix:" + path), Optional.empty())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            assertThat(other.isPublished()).isFalse();
            var asked = desk.ask(PUSH, LONG);
            var question = desk.waiting();
            var target = URI.create(other.links().approving(question)).getPath();
            assertThat(said(UnixDomainSocketAddress.of(path), "GET " + target + " HTTP/1.1\r\nHost: any\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ");
            assertThat(asked.isDone()).isFalse();
            assertThatThrownBy(
                            () -> AnswerDoor.open(desk.folders(), AnswerPlace.parse("unix:" + path), Optional.empty()))
                    .hasMessageContaining("is there already");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void the_first_door_is_the_one_that_is_known_while_it_is_open() throws IOException {
        assertThat(door.isPublished()).isTrue();
        assertThat(Publication.current(desk.folders())).contains(door.base());
        try (var second = AnswerDoor.open(
                desk.folders(), AnswerPlace.parse("127.0.0.1:0"), Optional.of(URI.create("https://answers.test/")))) {
            assertThat(second.isPublished()).isFalse();
            assertThat(second.base()).isEqualTo("https://answers.test");
        }
        door.close();
        assertThat(Publication.current(desk.folders())).isEmpty();
    }

    @Test
    void nothing_but_this_machine_is_listened_on() {
        for (String place :
                List.of("0.0.0.0:80", "192.0.2.1:80", "localhost:80", ":80", "127.0.0.1:70000", "unix:", "80")) {
            assertThatThrownBy(() -> AnswerPlace.parse(place))
                    .as(place)
                    .hasMessage("--listen: \"" + place
                            + "\" (expected: unix:PATH, 127.0.0.1:PORT or [::1]:PORT; port 0 is any free one)");
        }
        assertThatThrownBy(() -> AnswerDoor.open(
                        desk.folders(), AnswerPlace.parse("127.0.0.1:0"), Optional.of(URI.create("ftp://a/"))))
                .hasMessage("--url: (expected: https://HOST/, as the door is called from elsewhere)");
    }
}
