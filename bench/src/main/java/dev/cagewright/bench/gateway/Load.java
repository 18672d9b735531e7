package dev.cagewright.bench.gateway;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// A client of HTTPS on one thread: reads an [Order] a line, writes its [Yield]. Ends with its input.
final class Load {
    private Load() {}

    static void main() throws IOException, InterruptedException {
        var loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        var out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            try {
                out.println(new Volley(loops, Order.read(line)).fire().line());
            } catch (IOException | RuntimeException e) {
                out.println("failed: " + e);
            }
        }
        System.exit(0);
    }
}
