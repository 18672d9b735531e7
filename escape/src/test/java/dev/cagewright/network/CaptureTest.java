package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs whose policy asks for a capture, and what `har` and `net` say of them afterwards.
class CaptureTest {
    private static final String SCRIPT = """
            import os, socket, struct, subprocess, sys
            secure, clear, chat = sys.argv[1:]
            def curl(*words):
                subprocess.run(["curl", "-sS", "-o", "/dev/null", *words], check=True)
            curl(f"https://a.test:{secure}/ok/h2?q=a%20b", "-H", "Authorization: Bearer s3cr3t", "-H", "Cookie: id=s3cr3t")
            curl("--http1.1", f"https://a.test:{secure}/ok/h1", "-d", "name=value&other=1")
            for path in "gzip", "binary", "chunked", "large", "cookie":
                curl(f"http://a.test:{clear}/ok/{path}")
            curl(f"http://a.test:{clear}/no")
            curl("https://b.test/")
            s = socket.create_connection(("a.test", int(chat)))
            s.sendall((f"GET /ok/chat HTTP/1.1\\r\\nHost: a.test:{chat}\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n"
                       "Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n").encode())
            f = s.makefile("rb")
            while f.readline() != b"\\r\\n": pass
            for first, text in (0x81, b"hello"), (0x82, b"\\0\\1\\2"):
                mask = os.urandom(4)
                s.sendall(bytes([first, 0x80 | len(text)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text)))
                assert f.read(2 + len(text))[2:] == text
            s.close()
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Caged caged;

    @BeforeEach
    void open() throws Exception {
        caged = new Caged(folder);
    }

    @AfterEach
    void close() throws IOException {
        caged.close();
    }

    private static void requireProgram(String path) {
        assumeTrue(Files.isExecutable(Path.of(path)), path + " is not on this machine");
    }

    @Test
    void a_run_is_an_archive_that_others_read_and_a_summary() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        requireProgram("/usr/bin/python3");
        requireProgram("/usr/bin/npm");
        var ran = caged.run(caged.script(SCRIPT));
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(caged.kept()).doesNotContain("s3cr3t");
        assertArchives(HarValidator.in(Files.createDirectory(folder.resolve("npm"))));
        assertNet();
    }

    private void assertArchives(HarValidator validator) throws IOException, InterruptedException {
        var inbound = folder.resolve("in.har");
        var outbound = folder.resolve("out.har");
        var made = caged.product("har", "last", "-o", inbound.toString());
        assertThat(made.exit()).as(made.err()).isZero();
        assertThat(made.err()).contains("in.har: 10 exchanges");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(inbound)))
                .isEqualTo("rw-------");
        assertThat(caged.product("har", "last", "-o", outbound.toString(), "--view", "outbound")
                        .err())
                .contains("out.har: 8 exchanges");
        assertThat(caged.product("har", "last", "-o", inbound.toString()).err()).contains("exists already");
        assertThat(validator.check(inbound)).isEqualTo("valid");
        assertThat(validator.check(outbound)).isEqualTo("valid");
        var broken = Files.writeString(
                folder.resolve("broken.har"), Files.readString(inbound).replace("startedDateTime", "started"));
        assertThat(validator.check(broken)).as("the validator looks").contains("startedDateTime");
        assertThat(Files.readString(inbound))
                .contains(
                        "\"method\":\"GET\",\"url\":\"https://a.test:" + caged.outside.securePort()
                                + "/ok/h2?q=a%20b\",\"httpVersion\":\"HTTP/2\"",
                        "/ok/h1\",\"httpVersion\":\"HTTP/1.1\"",
                        "\"params\":[{\"name\":\"name\",\"value\":\"value\"},{\"name\":\"other\",\"value\":\"1\"}]",
                        "\"text\":\"hello gzip\"",
                        "\"mimeType\":\"image/png\",\"text\":\"AAEC/w==\",\"encoding\":\"base64\"",
                        "\"text\":\"in chunks\"",
                        "the first 1048576 of 3000000 bytes are kept",
                        "\"name\":\"sid\",\"value\":\"[not kept]\",\"path\":\"/\",\"secure\":true",
                        "\"url\":\"https://b.test/\"",
                        "\"comment\":\"refused: no rule of net.hosts names this host (default:deny)",
                        "\"type\":\"send\"",
                        "\"opcode\":1,\"data\":\"hello\"",
                        "\"opcode\":2,\"data\":\"AAEC\"",
                        "\"serverIPAddress\":\"127.0.0.1\"");
        assertThat(Files.readString(outbound)).contains("/ok/h2?q=a%20b").doesNotContain("b.test");
    }

    private void assertNet() throws IOException, InterruptedException {
        var lines = caged.product("net", "last").out();
        assertThat(lines)
                .containsPattern("allowed  GET a\\.test:" + caged.answers.port()
                        + "/ok/gzip  200  0 B sent  \\d+ B received  \\d+ ms")
                .containsPattern(
                        "refused  GET b\\.test:443/  no rule of net\\.hosts names this host  \\(default:deny\\)")
                .containsPattern("allowed  look-up a\\.test  11\\.84\\.0\\.");
        assertThat(caged.product("net", "last", "--denied").out())
                .contains("refused  GET b.test:443/", "/no")
                .doesNotContain("allowed");
        assertThat(caged.product("net", "last", "--summary").out())
                .containsPattern("HOST +REQUESTS +REFUSED +SENT +RECEIVED +P50")
                .containsPattern("a\\.test +8 +1 +18 B|a\\.test +8 +1 +\\d+ B +2\\.9 MiB +\\d+ ms")
                .containsPattern("b\\.test +0 +2 +0 B +0 B +-");
        assertThat(caged.product("net", "last", "--summary", "--json").out())
                .startsWith("[{\"host\":\"a.test\",\"requests\":8,\"refused\":1,");
        assertThat(caged.product("net", "last", "--follow").out())
                .as("the session is over, and so is following it")
                .isEqualTo(lines);
        assertThat(caged.product("net", "last", "--json").out().lines())
                .allMatch(line -> line.startsWith("{\"time\":"));
    }

    @Test
    void a_session_without_a_capture_has_no_archive() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        caged.change("har: true", "har: false");
        caged.product("run", "--quiet", "--policy", caged.policy.toString(), "--", "true");
        var none = caged.product("har", "last");
        assertThat(none.exit()).isEqualTo(1);
        assertThat(none.err()).contains("has no capture: its policy asks for none (capture: {har: true})");
        assertThat(caged.product("har", "zzzzzzzzzz").err()).contains("no session zzzzzzzzzz");
        assertThat(caged.product("har", "NO").exit()).isEqualTo(2);
        assertThat(caged.product("har", "last", "--view", "sideways").err())
                .contains("--view: \"sideways\" (expected: inbound or outbound)");
    }

    @Test
    void more_than_a_capture_keeps_is_no_network() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        caged.change("1MiB", "1GiB");
        var ran = caged.product("run", "--quiet", "--policy", caged.policy.toString(), "--", "true");
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.err()).contains("capture.body: 1073741824 bytes (expected: at most 64MiB)");
    }
}
