package dev.cagewright.egress.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Who has to go when a cage has too many connections.
class CrowdTest {
    private final Crowd crowd = new Crowd(3);

    @Test
    void whoever_began_first_goes_when_too_much_is_half_said() {
        var bounded = new Crowd(4, 100);
        var all = Stream.generate(EmbeddedChannel::new).limit(4).toList();
        all.forEach(channel -> assertThat(bounded.enter(channel)).isTrue());
        bounded.said(all.get(2), 40);
        bounded.said(all.get(0), 30);
        bounded.said(all.get(1), 30);
        assertThat(open(all)).containsOnly(true);
        bounded.said(all.get(0), 1);
        assertThat(open(all)).containsExactly(true, true, false, true);
        bounded.said(all.get(3), 39);
        assertThat(open(all)).containsExactly(true, true, false, true);
    }

    @Test
    void what_was_asked_with_counts_no_longer() {
        var bounded = new Crowd(2, 100);
        var all = Stream.generate(EmbeddedChannel::new).limit(2).toList();
        all.forEach(channel -> assertThat(bounded.enter(channel)).isTrue());
        for (int i = 0; i < 10; i++) {
            bounded.said(all.get(0), 90);
            bounded.busy(all.get(0));
            bounded.said(all.get(0), 1_000);
            bounded.idle(all.get(0));
        }
        bounded.said(all.get(1), 90);
        assertThat(open(all)).containsOnly(true);
        bounded.said(all.get(1), 11);
        assertThat(open(all)).containsExactly(true, false);
    }

    private List<EmbeddedChannel> entered(int count) {
        return Stream.generate(EmbeddedChannel::new)
                .limit(count)
                .peek(channel -> assertThat(crowd.enter(channel)).isTrue())
                .toList();
    }

    private static List<Boolean> open(List<EmbeddedChannel> channels) {
        return channels.stream().map(Channel::isOpen).toList();
    }

    @Test
    void the_one_that_waited_longest_goes_for_one_more() {
        var first = entered(3);
        crowd.busy(first.get(0));
        assertThat(crowd.enter(new EmbeddedChannel())).isTrue();
        assertThat(open(first)).containsExactly(true, false, true);
    }

    @Test
    void one_whose_request_is_over_waits_anew() {
        var first = entered(3);
        crowd.busy(first.get(0));
        crowd.idle(first.get(0));
        entered(2);
        assertThat(open(first)).containsExactly(true, false, false);
    }

    @Test
    void one_more_is_reset_when_all_are_at_work() {
        var first = entered(3);
        first.forEach(crowd::busy);
        var more = new EmbeddedChannel();
        assertThat(crowd.enter(more)).isFalse();
        assertThat(more.isOpen()).isFalse();
        assertThat(open(first)).containsOnly(true);
    }

    @Test
    void whoever_has_gone_makes_room() {
        var first = entered(3);
        first.forEach(crowd::busy);
        var _ = first.getFirst().close();
        crowd.idle(first.getFirst());
        assertThat(open(entered(1))).containsOnly(true);
    }
}
