package dev.cagewright.egress.relay;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;

/// A process of its own with a [Bench], whose descriptors can be used up from outside: `fill` opens files until there
/// are no more, `free` closes them; each is answered with a line.
final class Starved {
    private Starved() {}

    public static void main(String[] words) throws Exception {
        var held = new ArrayDeque<FileInputStream>();
        try (var origin = Origin.clear(Starved::hello);
                var bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL)) {
            bench.ask(Bench.ALLOWED, request(bench, "/ok"));
            bench.ask(Bench.ALLOWED, request(bench, "/no"));
            say("port " + bench.port);
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("fill")) {
                    fill(held);
                } else {
                    while (!held.isEmpty()) {
                        held.removeLast().close();
                    }
                }
                say("held " + held.size());
            }
        }
    }

    private static void fill(ArrayDeque<FileInputStream> held) {
        try {
            while (true) {
                held.addLast(new FileInputStream("/dev/null"));
            }
        } catch (IOException _) {
            return; // that is how many there are
        }
    }

    private static String request(Bench bench, String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n";
    }

    private static void hello(Origin.Talk talk) throws IOException {
        while (!talk.head().isEmpty()) {
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        }
    }

    @SuppressWarnings("SystemOut") // the other process reads it
    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
