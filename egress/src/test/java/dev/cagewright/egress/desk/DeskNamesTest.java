package dev.cagewright.egress.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.address.AddressRange;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.egress.dns.Names;
import dev.cagewright.policy.action.HostName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeskNamesTest {
    private static final IpAddress ELSEWHERE = IpAddress.parse("11.84.9.9").orElseThrow();

    private final SyntheticAddresses addresses =
            new SyntheticAddresses(AddressRange.parse("11.84.0.0/24").orElseThrow());
    private final List<HostName> judged = new ArrayList<>();

    /// A policy that leads every name elsewhere.
    private Names.Ruling judge(HostName name) {
        judged.add(name);
        return new Names.Reachable(ELSEWHERE);
    }

    private static PolicyDesk desk() {
        return request -> DeskReply.result(200, "{}");
    }

    @Test
    void the_name_of_the_desk_is_its_own_and_nobody_judges_it() {
        var names = DeskNames.of(desk(), addresses, this::judge);
        var own = IpAddress.parse("11.84.0.1").orElseThrow();
        assertThat(names.of(new HostName("CageWright.internal"))).isEqualTo(new Names.Reachable(own));
        assertThat(names.nameOf(own)).contains(PolicyDesk.NAME);
        assertThat(judged).isEmpty();
    }

    @Test
    void names_near_it_are_judged_as_all_others() {
        var names = DeskNames.of(desk(), addresses, this::judge);
        var near = List.of("cagewright.internal.test", "x.cagewright.internal", "internal", "cagewright.internals");
        near.forEach(
                name -> assertThat(names.of(new HostName(name))).as(name).isEqualTo(new Names.Reachable(ELSEWHERE)));
        assertThat(judged).hasSameSizeAs(near);
    }

    @Test
    void without_a_desk_its_name_is_one_like_any_other() {
        var names = DeskNames.of(PolicyDesk.NONE, addresses, this::judge);
        assertThat(names.of(PolicyDesk.NAME)).isEqualTo(new Names.Reachable(ELSEWHERE));
        assertThat(judged).containsExactly(PolicyDesk.NAME);
    }

    @Test
    void it_is_there_when_all_other_addresses_are_used_up() {
        var names = DeskNames.of(desk(), addresses, this::judge);
        for (int i = 0; i < 300; i++) {
            var _ = addresses.of(new HostName("n" + i + ".test"));
        }
        assertThat(addresses.of(new HostName("one.more.test"))).isEmpty();
        assertThat(names.of(PolicyDesk.NAME)).isInstanceOf(Names.Reachable.class);
    }
}
