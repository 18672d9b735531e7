/// The way to origins: which addresses may be dialled ([Lookup]), a verified connection ([Dialer]), and
/// connections kept for the next request ([HttpPool]). Nothing here decides what may be sent.
@NullMarked
package dev.cagewright.egress.upstream;

import org.jspecify.annotations.NullMarked;
