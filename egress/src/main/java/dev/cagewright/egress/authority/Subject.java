package dev.cagewright.egress.authority;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import java.util.Locale;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.GeneralName;

/// Whom a leaf is for. A name becomes a `dNSName`, an address an `iPAddress`: clients accept neither in place of the
/// other (RFC 6125, RFC 2818).
sealed interface Subject {
    GeneralName alternativeName();

    String text();

    record Name(HostName name) implements Subject {
        public Name {
            if (isNumeric(name.value())) {
                throw new IllegalArgumentException("name: " + name + " (expected: a name, not an address)");
            }
        }

        private static boolean isNumeric(String value) {
            return value.indexOf(':') >= 0 || value.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
        }

        @Override
        public GeneralName alternativeName() {
            return new GeneralName(GeneralName.dNSName, name.value());
        }

        @Override
        public String text() {
            return name.value();
        }
    }

    record Address(IpAddress address) implements Subject {
        @Override
        public GeneralName alternativeName() {
            return new GeneralName(GeneralName.iPAddress, new DEROctetString(address.toByteArray()));
        }

        @Override
        public String text() {
            return address.toString().toLowerCase(Locale.ROOT);
        }
    }
}
