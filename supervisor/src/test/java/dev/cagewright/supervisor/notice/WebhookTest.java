package dev.cagewright.supervisor.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.gate.Approvals.Answer;
import dev.cagewright.supervisor.approval.LiveDesk;
import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import dev.cagewright.supervisor.hatch.Hatch;
import dev.cagewright.supervisor.hatch.HatchAnswer;
import dev.cagewright.supervisor.hatch.HatchRequest;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.ticket.AnswerDoor;
import dev.cagewright.supervisor.ticket.AnswerPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Messages to a receiver on this machine.
class WebhookTest {
    private static final Action POST = new Action.HttpRequest("POST", new HostName("api.test"), 443, "/pay");
    private static final Action LOGIN = new Action.ProcExec(
            List.of(ByteString.of("login"), ByteString.of("--password=hunter2")), new GuestPath("/repo"));

    @TempDir
    private Path temp;

    private final LinkedBlockingQueue<HatchRequest> received = new LinkedBlockingQueue<>();

    /// A receiver, and the webhook that leads to it.
    private Hatch receiver(StateFolders folders, IntSupplier status) throws IOException {
        var listening = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
        Webhook.to("http://127.0.0.1:" + port + "/hook/SECRET").store(folders);
        return Hatch.open(listening, new Hatch.Terms(8 << 10, 4, Duration.ofSeconds(20)), _ -> true, request -> {
            received.add(request);
            return new HatchAnswer(status.getAsInt(), "text/plain", ByteString.of(""));
        });
    }

    private HatchRequest next() throws InterruptedException {
        var request = received.poll(30, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("nothing came");
        }
        return request;
    }

    private LiveDesk desk() throws IOException {
        return new LiveDesk(temp, new WebhookAsker(new StateFolders(temp.resolve("config"), temp.resolve("state"))));
    }

    @Test
    void a_question_is_told_signed_and_without_what_it_holds() throws Exception, InterruptedException {
        try (var desk = desk();
                var _ = receiver(desk.folders(), () -> 204);
                var door = AnswerDoor.open(desk.folders(), AnswerPlace.parse("127.0.0.1:0"), Optional.empty())) {
            var _ = desk.ask(LOGIN, Duration.ofMinutes(2));
            var question = desk.waiting();
            var request = next();
            var body = request.body();

            assertThat(body.utf8().orElse(""))
                    .contains("\"type\":\"approval.asked\"", "\"summary\":\"proc.exec login\"", question.digest())
                    .contains(door.links().approving(question), door.links().denying(question))
                    .doesNotContain("hunter2", "/repo");
            var key = Webhook.load(desk.folders()).orElseThrow().key();
            long time = Long.parseLong(request.field("webhook-timestamp").orElse(""));
            assertThat(request.field("webhook-id")).contains(question.id().value());
            assertThat(request.field("webhook-signature"))
                    .contains(key.signature(question.id().value(), time, body.toByteArray()));
            assertThat(desk.recorded("approval.told"))
                    .contains("\"way\":\"webhook\"")
                    .doesNotContain("SECRET");
        }
    }

    @Test
    void signatures_are_those_of_the_published_scheme() {
        // the test vector of the libraries at https://github.com/standard-webhooks/standard-webhooks
        var key = WebhookKey.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        var body = "{\"test\": 2432232314}".getBytes(StandardCharsets.US_ASCII);
        assertThat(key.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assertThat(key.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_331, body))
                .isNotEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assertThat(key.toString()).doesNotContain("MfKQ");
    }

    @Test
    void what_fails_is_tried_again_and_what_comes_of_it_is_on_record() throws Exception, InterruptedException {
        try (var desk = desk();
                var _ = receiver(desk.folders(), () -> received.size() % 2 == 1 ? 503 : 200)) {
            var _ = desk.ask(POST, Duration.ofMinutes(2));
            desk.recorded("approval.told");
            assertThat(received).hasSize(2);
            assertThat(received)
                    .extracting(request -> request.field("webhook-id").orElse(""))
                    .containsOnly(desk.waiting().id().value());
        }
    }

    @Test
    void a_receiver_that_refuses_holds_nobody_up_and_is_on_record_without_its_path()
            throws Exception, InterruptedException {
        try (var desk = desk();
                var _ = receiver(desk.folders(), () -> 500)) {
            var asked = desk.ask(POST, Duration.ofMinutes(2));
            next();
            new PendingQuestions(desk.folders()).reply(desk.waiting(), Reply.Word.REFUSED, new Scope.Once(), "command");
            assertThat(asked.get()).isEqualTo(Answer.REFUSED);
            assertThat(desk.recorded("approval.untold"))
                    .contains("\"way\":\"webhook\"", " answered 500")
                    .doesNotContain("SECRET");
        }
    }

    @Test
    void redirects_are_not_followed() throws Exception, InterruptedException {
        try (var desk = desk();
                var _ = receiver(desk.folders(), () -> 307)) {
            var webhook = Webhook.load(desk.folders()).orElseThrow();
            assertThatThrownBy(() -> webhook.send("x", JsonObject.EMPTY)).hasMessageEndingWith(" answered 307");
        }
    }

    @Test
    void only_tls_or_this_machine_and_the_setting_is_its_owners_alone() throws IOException {
        for (String address : List.of(
                "http://hooks.example.com/x",
                "https://user:secret@h.test/",
                "https://h.test/#f",
                "ftp://h.test/",
                "x",
                "http://127.0.0.1.evil.test/")) {
            assertThatThrownBy(() -> Webhook.to(address)).as(address).hasMessageStartingWith("webhook: ");
        }
        var folders = new StateFolders(temp.resolve("config"), temp.resolve("state"));
        Webhook.to("https://hooks.example.com/x?token=SECRET").store(folders);
        var file = folders.state().resolve("webhook.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Webhook.load(folders).orElseThrow().place()).isEqualTo("https://hooks.example.com");
        assertThat(Webhook.load(folders).orElseThrow()).hasToString("https://hooks.example.com");
        assertThat(new WebhookAsker(folders).reaches()).isTrue();
        Files.writeString(file, "{\"address\":\"https://h.test/\",\"key\":\"whsec_AA==\"}");
        assertThatThrownBy(() -> Webhook.load(folders)).hasMessageContaining("is no webhook: key: (expected:");
        assertThat(new WebhookAsker(folders).reaches()).isFalse();
        assertThat(Webhook.remove(folders)).isTrue();
        assertThat(Webhook.load(folders)).isEmpty();
    }

    @Test
    void a_desktop_is_told_only_where_there_is_one() throws IOException {
        var bin = Files.createDirectory(temp.resolve("bin"));
        var whole = Map.of("DISPLAY", ":0", "DBUS_SESSION_BUS_ADDRESS", "unix:path=/x", "PATH", "/nowhere:" + bin);
        assertThat(new DesktopNotice(Map.of()).gap()).contains("there is no desktop (WAYLAND_DISPLAY, DISPLAY)");
        assertThat(new DesktopNotice(whole).gap()).contains("notify-send is not on your PATH");
        assertThat(new DesktopNotice(whole).reaches()).isFalse();
        var program = Files.writeString(bin.resolve("notify-send"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(new DesktopNotice(whole).reaches()).isTrue();
        assertThat(DesktopNotice.plain("<a href='x'>&")).isEqualTo("&lt;a href='x'&gt;&amp;");
    }
}
