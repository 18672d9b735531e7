/// Addresses as bytes: what they are ([IpAddress]), which are set apart ([SpecialPurpose]), which may be dialled for a
/// rule ([AddressRules]), and which ones a cage sees instead of real ones ([SyntheticAddresses]). Nothing here resolves
/// a
/// name or opens a socket.
@NullMarked
package dev.cagewright.egress.address;

import org.jspecify.annotations.NullMarked;
