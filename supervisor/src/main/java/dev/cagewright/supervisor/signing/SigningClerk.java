package dev.cagewright.supervisor.signing;

import dev.cagewright.audit.json.Json;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Answers what a cage asks of an ssh agent: which key there is, and to sign for git. Everything else is refused, as an
/// agent refuses: with one byte. Each signature is a use of the credential, judged and on record. Safe for all threads.
final class SigningClerk {
    /// What a request for a signature of an RSA key may say: `SSH_AGENT_RSA_SHA2_256`, `SSH_AGENT_RSA_SHA2_512`.
    private static final int FLAGS = 2 | 4;

    private final Office office;
    private final SigningKey key;
    private final SigningPace pace;

    /// @param credential the policy's
    /// @param agent the person's
    record Office(Credential credential, HostAgent agent, Gate gate, AuditJournal journal) {}

    SigningClerk(Office office, SigningKey key, SigningPace pace) {
        this.office = office;
        this.key = key;
        this.pace = pace;
    }

    /// The answer to one message, both without their length. Waits for a person where the policy says so.
    byte[] answer(byte[] message) {
        return switch (message[0]) {
            case AgentWords.REQUEST_IDENTITIES -> message.length == 1 ? identities() : AgentWords.failure();
            case AgentWords.SIGN_REQUEST -> signed(message);
            default -> {
                refused("another request of an agent's protocol (" + (message[0] & 0xff) + ")");
                yield AgentWords.failure();
            }
        };
    }

    private byte[] identities() {
        return new AgentWords.Writer(AgentWords.IDENTITIES_ANSWER)
                .number(1)
                .string(key.blob())
                .string(key.fingerprint().getBytes(StandardCharsets.US_ASCII))
                .message();
    }

    private byte[] signed(byte[] message) {
        try {
            var reader = new AgentWords.Reader(message, 1);
            var blob = reader.string();
            var data = reader.string();
            int flags = reader.number();
            reader.end();
            if (!key.is(blob)) {
                throw new IllegalArgumentException("it asks for another key than " + key);
            }
            if ((flags & ~FLAGS) != 0) {
                throw new IllegalArgumentException("it has flags that are not known");
            }
            var signature = GitSignature.read(data);
            pace.attempt().ifPresent(why -> {
                throw new IllegalArgumentException(why);
            });
            return signed(signature, data, flags);
        } catch (IllegalArgumentException e) {
            refused(String.valueOf(e.getMessage()));
            return AgentWords.failure();
        }
    }

    private byte[] signed(GitSignature signature, byte[] data, int flags) {
        var use = new Action.SecretUse(office.credential().name(), new HostName(Credential.Signing.PLACE));
        try {
            return signed(office.gate().pass(use), signature, data, flags);
        } catch (DeniedException _) {
            return AgentWords.failure(); // on record by now
        }
    }

    private byte[] signed(Warrant warrant, GitSignature signature, byte[] data, int flags) {
        var use = warrant.spend(Action.SecretUse.class);
        try {
            var made = office.agent().sign(key, data, flags);
            office.journal()
                    .outcome(
                            warrant.id(),
                            use,
                            Json.object()
                                    .put("signed", made.isPresent())
                                    .put("key", key.fingerprint())
                                    .put("namespace", "git")
                                    .put("hash", signature.hash())
                                    .build());
            return made.map(bytes -> new AgentWords.Writer(AgentWords.SIGN_RESPONSE)
                            .string(bytes)
                            .message())
                    .orElseGet(AgentWords::failure);
        } catch (IOException e) {
            refused(String.valueOf(e.getMessage()));
            return AgentWords.failure();
        }
    }

    /// A log that takes no note takes no intent either, and nothing is signed.
    private void refused(String why) {
        try {
            office.journal()
                    .note(
                            "signing.refused",
                            Json.object()
                                    .put("credential", office.credential().name())
                                    .put("why", why)
                                    .build());
        } catch (IOException _) {
            return;
        }
    }
}
