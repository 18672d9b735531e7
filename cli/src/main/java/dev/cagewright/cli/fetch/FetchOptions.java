package dev.cagewright.cli.fetch;

import dev.cagewright.cli.approval.Approving;
import dev.cagewright.cli.approval.TerminalPrompt.Keyboard;
import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.supervisor.fetch.FetchOrder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// What is asked of whom, as the person says it.
final class FetchOptions {
    private static final int MOST_BODY = 64 << 20;

    @Option(names = "--policy", required = true, paramLabel = "FILE|NAME", description = "The policy it is under.")
    private String policy = "";

    @Option(names = "--host", required = true, paramLabel = "HOST", description = "The host, or NAME.internal.")
    private String host = "";

    @Option(names = "--port", paramLabel = "PORT", description = "Its port; 443 by default, 80 with --plain.")
    private Optional<Integer> port = Optional.empty();

    @Option(names = "--plain", description = "Speak HTTP without TLS.")
    private boolean plain;

    @Option(names = "--method", paramLabel = "METHOD", description = "The method; ${DEFAULT-VALUE} by default.")
    private String method = "GET";

    @Option(names = "--path", paramLabel = "PATH", description = "The path, and what follows ?; / by default.")
    private String path = "/";

    @Option(names = "--header", paramLabel = "NAME: VALUE", description = "A field to send; no secrets: see --cred.")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--body", paramLabel = "FILE", description = "What to send; - is the standard input.")
    private Optional<String> body = Optional.empty();

    @Option(names = "--cred", paramLabel = "NAME", description = "The stored secret to send, one of the policy's.")
    private Optional<String> credential = Optional.empty();

    @Option(
            names = "--cred-in",
            paramLabel = "FIELD",
            description = "The field that is the secret; by default Authorization: Bearer has it.")
    private Optional<String> field = Optional.empty();

    @Option(names = "--max-body", paramLabel = "SIZE", description = "The most of the answer; ${DEFAULT-VALUE}.")
    private String most = "64MiB";

    @Option(names = "--timeout", paramLabel = "TIME", description = "For the whole of it; ${DEFAULT-VALUE}.")
    private String patience = "2m";

    @Option(
            names = "--approvals",
            paramLabel = "HOW",
            description = "What becomes of a request that needs approval: ask waits where somebody can be asked (the"
                    + " default), wait waits in any case, never denies at once.")
    private String approvals = "ask";

    String policy() {
        return policy;
    }

    Approving approvals() {
        return Approving.parse(approvals);
    }

    /// The keyboard is the person's unless the body comes from where it types.
    Keyboard keyboard() {
        return body.filter("-"::equals).isPresent() ? Keyboard.TAKEN : Keyboard.FREE;
    }

    /// The name of the secret to send.
    ///
    /// @throws IllegalArgumentException if it would go without TLS
    Optional<String> credential() {
        if (credential.isPresent() && plain) {
            throw new IllegalArgumentException("--cred: no secret goes without TLS (expected: no --plain)");
        }
        return credential;
    }

    Action.HttpRequest action() {
        return order().action();
    }

    private FetchOrder order() {
        return new FetchOrder(
                plain ? HostRequest.Scheme.HTTP : HostRequest.Scheme.HTTPS,
                method,
                new FetchOrder.Authority(new HostName(host), port.orElse(plain ? 80 : 443)),
                path,
                headers.stream().map(HostRequest.Header::parse).toList());
    }

    /// @param secrets whose decoy goes along
    HostRequest request(List<HeldSecret> secrets) throws IOException {
        return order().request(
                        secrets.stream()
                                .map(secret -> FetchOrder.credential(field, secret.decoyText()))
                                .toList(),
                        body.isPresent() ? Optional.of(bytes(body.get())) : Optional.empty());
    }

    private static byte[] bytes(String from) throws IOException {
        if (from.equals("-")) {
            return bytes(System.in, from);
        }
        try (var in = Files.newInputStream(Path.of(from))) {
            return bytes(in, from);
        }
    }

    private static byte[] bytes(InputStream in, String from) throws IOException {
        var all = in.readNBytes(MOST_BODY + 1);
        if (all.length > MOST_BODY) {
            throw new IOException("--body " + from + ": more than " + MOST_BODY + " bytes");
        }
        return all;
    }

    HostClient.Limits limits() {
        return new HostClient.Limits(
                ByteSize.parse("--max-body", most).bytes(),
                TimeSpan.parse("--timeout", patience).value());
    }
}
