package dev.cagewright.cli.mcp;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Signals;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.mcp.http.HttpDoor;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.stdio.StdioDoor;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Model.OptionSpec;

/// Which door clients come in by: the streams of this process, a socket of the file system, or loopback.
final class DoorChoice {
    private final OptionSpec http = CommandText.text(
            "HOST:PORT",
            "Serve over HTTP on loopback, for who has the token that is said; port 0 is any free one.",
            "--http");

    private final OptionSpec unix =
            CommandText.text("PATH", "Serve over HTTP on a socket of the file system, for this user alone.", "--unix");

    OptionSpec[] described() {
        return new OptionSpec[] {http, unix};
    }

    /// Serves until the client is gone, or somebody wants this to end.
    ///
    /// @throws IOException if the door cannot be opened
    @SuppressWarnings("Interruption") // the thread serves, and serving is what somebody wants to end
    void serve(Offer offer, Console console) throws IOException {
        var address = CommandText.given(http);
        var socket = CommandText.given(unix);
        if (address.isPresent() && socket.isPresent()) {
            throw new IllegalArgumentException("--http, --unix: both (expected: one of them, or none for stdio)");
        }
        var here = Thread.currentThread();
        try (var _ = Signals.handOn(_ -> here.interrupt(), () -> {})) {
            if (address.isPresent()) {
                attend(HttpDoor.loopback(offer, parse(address.get())), console);
            } else if (socket.isPresent()) {
                attend(HttpDoor.unix(offer, Path.of(socket.get()).toAbsolutePath()), console);
            } else {
                StdioDoor.serve(
                        offer, new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
            }
        }
        Thread.interrupted(); // it has come to what it was for
    }

    private static void attend(HttpDoor opened, Console console) {
        try (HttpDoor door = opened) {
            console.say("serving MCP at " + Visible.text(door.url())
                    + door.socket()
                            .map(path -> ", socket " + Visible.text(path.toString()))
                            .orElse(""));
            door.token().ifPresent(token -> console.more("Authorization: Bearer " + token));
            new CountDownLatch(1).await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // somebody wants this to end
        }
    }

    private static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon).replaceAll("^\\[|]$", "");
        var port = text.substring(colon + 1);
        if (!port.matches("[0-9]{1,5}")
                || Integer.parseInt(port) > 65_535
                || !host.matches("127\\.0\\.0\\.1|::1|localhost")) {
            throw new IllegalArgumentException(
                    "--http: \"" + text + "\" (expected: 127.0.0.1:PORT or [::1]:PORT; 0 is any free one)");
        }
        return new InetSocketAddress(
                InetAddress.ofLiteral(host.equals("::1") ? "::1" : "127.0.0.1"), Integer.parseInt(port));
    }
}
