package dev.cagewright.bench.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Others that open TLS between a client and an origin, where they are installed: one process or worker, no log, no
/// cache. What they need stands in `folder`.
final class Peers {
    private final Path folder;
    private final Papers papers;
    private final int origin;

    Peers(Path folder, Papers papers, int origin) {
        this.folder = folder;
        this.papers = papers;
        this.origin = origin;
    }

    /// A peer that serves.
    ///
    /// @param isAsked whether a client asks it with `CONNECT`, instead of dialling it for the origin
    /// @param roots what vouches for the certificates that it shows
    record Serving(String name, Started process, int port, Way way, Path roots) {}

    /// How a client comes to it.
    enum Way {
        DIALLED,
        ASKED
    }

    List<Serving> start() throws IOException, InterruptedException {
        var all = new ArrayList<Serving>();
        nginx().ifPresent(all::add);
        haproxy().ifPresent(all::add);
        squid().ifPresent(all::add);
        mitmproxy().ifPresent(all::add);
        return all;
    }

    private static Optional<String> program(String name) {
        var path = System.getenv("PATH") + ":/usr/sbin";
        for (var place : path.split(":", -1)) {
            var file = Path.of(place, name);
            if (Files.isExecutable(file)) {
                return Optional.of(file.toString());
            }
        }
        return Optional.empty();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Optional<Serving> started(String name, int port, Way way, Path roots, List<String> words)
            throws IOException, InterruptedException {
        var process = Started.of(words, folder, folder.resolve(name + ".log"), Map.of());
        for (int i = 0; i < 100; i++) {
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return Optional.of(new Serving(name, process, port, way, roots));
            } catch (IOException _) {
                Thread.sleep(100);
            }
        }
        process.close();
        throw new IOException(name + ": does not listen; see " + folder.resolve(name + ".log"));
    }

    private Optional<Serving> nginx() throws IOException, InterruptedException {
        var program = program("nginx");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        int port = freePort();
        var settings = Files.writeString(folder.resolve("nginx.conf"), """
                worker_processes 1; daemon off; pid %1$s/nginx.pid; error_log stderr warn;
                events { worker_connections 4096; }
                http {
                  access_log off; tcp_nodelay on; keepalive_requests 1000000000; keepalive_timeout 600;
                  client_body_temp_path %1$s/nb; proxy_temp_path %1$s/np; fastcgi_temp_path %1$s/nf;
                  uwsgi_temp_path %1$s/nu; scgi_temp_path %1$s/ns;
                  upstream origin { server 127.0.0.1:%2$d; keepalive 128; keepalive_requests 1000000000; }
                  server {
                    listen 127.0.0.1:%3$d ssl backlog=4096;
                    ssl_certificate %4$s; ssl_certificate_key %5$s; ssl_session_tickets off; ssl_protocols TLSv1.2 TLSv1.3;
                    location / {
                      proxy_pass https://origin; proxy_http_version 1.1; proxy_set_header Connection "";
                      proxy_set_header Host $host; proxy_ssl_verify on; proxy_ssl_name origin.test;
                      proxy_ssl_server_name on; proxy_ssl_protocols TLSv1.3; proxy_ssl_trusted_certificate %6$s;
                      proxy_buffer_size 16k; proxy_buffers 16 32k; proxy_max_temp_file_size 0;
                    }
                  }
                }
                """.formatted(
                        folder, origin, port, papers.certificate(), papers.key(), papers.roots()));
        return started("nginx", port, Way.DIALLED, papers.roots(), List.of(program.get(), "-c", settings.toString()));
    }

    /// With a new, verified connection to the origin for each of the client's, as whoever opens TLS has to.
    private Optional<Serving> haproxy() throws IOException, InterruptedException {
        var program = program("haproxy");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        int port = freePort();
        var settings = Files.writeString(
                folder.resolve("haproxy.cfg"), """
                global
                  nbthread 1
                  maxconn 4096
                  ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets
                defaults
                  mode http
                  timeout connect 5s
                  timeout client 60s
                  timeout server 60s
                frontend opened
                  bind 127.0.0.1:%d ssl crt %s alpn http/1.1
                  default_backend origin
                backend origin
                  http-reuse never
                  server s1 127.0.0.1:%d ssl verify required ca-file %s sni str(origin.test) verifyhost origin.test alpn http/1.1 no-ssl-reuse pool-max-conn 0
                """.formatted(port, papers.both(), origin, papers.roots()));
        return started(
                "haproxy", port, Way.DIALLED, papers.roots(), List.of(program.get(), "-db", "-f", settings.toString()));
    }

    private void finish(String name, String... words) throws IOException, InterruptedException {
        int status = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException(name + ": status " + status);
        }
    }

    private Path authority() throws IOException, InterruptedException {
        var both = folder.resolve("peer-authority.pem");
        if (!Files.exists(both)) {
            var key = folder.resolve("peer-authority.key");
            var certificate = folder.resolve("peer-authority.crt");
            finish(
                    "openssl",
                    "openssl",
                    "req",
                    "-x509",
                    "-newkey",
                    "rsa:2048",
                    "-nodes",
                    "-days",
                    "30",
                    "-subj",
                    "/CN=bench peer",
                    "-keyout",
                    key.toString(),
                    "-out",
                    certificate.toString());
            Files.writeString(both, Files.readString(key) + Files.readString(certificate));
        }
        return both;
    }

    private Optional<Serving> squid() throws IOException, InterruptedException {
        var program = program("squid");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        var generator = Path.of(program.get())
                .resolveSibling("../lib/squid/security_file_certgen")
                .normalize();
        var place = Files.createDirectory(folder.resolve("squid"));
        var store = place.resolve("certificates");
        finish("certgen", generator.toString(), "-c", "-s", store.toString(), "-M", "16MB");
        // started by root it becomes somebody else, who has to write here
        finish("chmod", "chmod", "-R", "a+rwX", place.toString());
        finish("chmod", "chmod", "a+x", folder.toString());
        int port = freePort();
        Files.writeString(folder.resolve("hosts"), "127.0.0.1 origin.test\n");
        var settings = Files.writeString(folder.resolve("squid.conf"), """
                http_port 127.0.0.1:%1$d ssl-bump tls-cert=%2$s generate-host-certificates=on dynamic_cert_mem_cache_size=16MB
                http_access allow all
                cache deny all
                access_log none
                cache_store_log none
                cache_log %3$s/squid/cache.log
                pid_filename %3$s/squid/squid.pid
                coredump_dir %3$s
                hosts_file %3$s/hosts
                shutdown_lifetime 1 seconds
                max_filedescriptors 4096
                visible_hostname bench
                pinger_enable off
                netdb_filename none
                cache_effective_user nobody
                sslcrtd_program %4$s -s %5$s -M 16MB
                sslcrtd_children 4 startup=1 idle=1
                acl step1 at_step SslBump1
                ssl_bump peek step1
                ssl_bump bump all
                tls_outgoing_options cafile=%6$s
                sslproxy_cert_error deny all
                """.formatted(
                        port, authority(), folder, generator, store, papers.roots()));
        return started(
                "squid",
                port,
                Way.ASKED,
                folder.resolve("peer-authority.crt"),
                List.of(program.get(), "-N", "-f", settings.toString(), "-n", "bench" + port));
    }

    private Optional<Serving> mitmproxy() throws IOException, InterruptedException {
        var program = program("mitmdump");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        int port = freePort();
        var home = Files.createDirectories(folder.resolve("mitmproxy"));
        Files.copy(authority(), home.resolve("mitmproxy-ca.pem"));
        var address = Files.writeString(folder.resolve("address.py"), """
                def server_connect(data):
                    data.server.address = ("127.0.0.1", data.server.address[1])
                """);
        return started(
                "mitmproxy",
                port,
                Way.ASKED,
                folder.resolve("peer-authority.crt"),
                List.of(
                        "python3",
                        program.get(),
                        "-q",
                        "--mode",
                        "regular",
                        "--listen-host",
                        "127.0.0.1",
                        "-p",
                        "" + port,
                        "--set",
                        "confdir=" + home,
                        "--set",
                        "ssl_verify_upstream_trusted_ca=" + papers.roots(),
                        "--set",
                        "flow_detail=0",
                        "-s",
                        address.toString()));
    }
}
