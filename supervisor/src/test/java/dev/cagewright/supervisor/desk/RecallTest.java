package dev.cagewright.supervisor.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Journal;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecallTest {
    private static final Decision.Verdict ALLOWED = new Decision.Allow(new RuleId("net.hosts[0]"));
    private static final Decision.Verdict DENIED =
            new Decision.Deny(new RuleId("default:deny"), DenyCode.NO_RULE, "no rule names it");

    private final AuditLog log;
    private final Recall recall;

    RecallTest(@TempDir Path folder) throws IOException {
        log = AuditLog.open(folder.resolve("audit.jsonl"), InstantSource.system());
        recall = new Recall(new AuditJournal(log, "abcdefghij", "cage", (_, _) -> JsonObject.EMPTY));
    }

    @AfterEach
    void close() throws IOException {
        log.close();
    }

    private DecisionId decided(Action action, Decision.Verdict verdict) throws IOException {
        var id = recall.nextId();
        var _ = recall.intent(id, action, verdict);
        return id;
    }

    @Test
    void a_decision_is_remembered_with_its_action_and_another_is_not_known() throws IOException {
        var action = new Action.HttpRequest("GET", new HostName("a.test"), 443, "/x");
        var id = decided(action, DENIED);
        assertThat(recall.find(id)).hasValueSatisfying(past -> {
            assertThat(past.action()).contains(action);
            assertThat(past.what()).isEqualTo("http.request GET a.test:443/x");
            assertThat(past.verdict()).isEqualTo(DENIED);
        });
        assertThat(recall.find(new DecisionId("abcdefghij-2"))).isEmpty();
        assertThat(recall.find(new DecisionId("zyxwvutsrq-1"))).isEmpty();
    }

    @Test
    void many_allowed_actions_do_not_make_a_denial_forgotten_and_the_oldest_of_a_kind_goes()
            throws IOException, InterruptedException {
        var denied = decided(new Action.DnsLookup(new HostName("b.test")), DENIED);
        var first = decided(new Action.DnsLookup(new HostName("a.test")), ALLOWED);
        var counted = new Counted(Recall.ALLOWANCES);
        for (int i = 0; i < Recall.ALLOWANCES; i++) {
            recall.intent(recall.nextId(), new Action.DnsLookup(new HostName("a.test")), ALLOWED, counted);
        }
        assertThat(counted.left.await(60, TimeUnit.SECONDS)).isTrue();
        var last = decided(new Action.DnsLookup(new HostName("c.test")), ALLOWED);
        assertThat(recall.find(denied)).isPresent();
        assertThat(recall.find(last)).isPresent();
        assertThat(recall.find(first)).isEmpty();
    }

    private static final class Counted implements Journal.Recorded {
        private final CountDownLatch left;

        Counted(int expected) {
            left = new CountDownLatch(expected);
        }

        @Override
        public void durable(long sequence) {
            left.countDown();
        }

        @Override
        public void failed(IOException why) {
            throw new IllegalStateException(why);
        }
    }

    @Test
    void of_what_is_long_the_beginning_is_remembered() throws IOException {
        var path = "/" + "p".repeat(60_000);
        var request = decided(new Action.HttpRequest("GET", new HostName("a.test"), 443, path), ALLOWED);
        var words = List.of(ByteString.of("/bin/echo"), ByteString.of("w".repeat(100_000)));
        var program = decided(new Action.ProcExec(words, new GuestPath("/")), DENIED);
        for (DecisionId id : List.of(request, program)) {
            assertThat(recall.find(id)).hasValueSatisfying(past -> {
                assertThat(past.action()).isEmpty();
                assertThat(past.what()).hasSize(Recall.LONGEST + 3).endsWith("...");
            });
        }
    }
}
