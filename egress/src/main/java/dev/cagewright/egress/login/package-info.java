/// Log-ins: what a token end point answers reaches the cage with decoys in the place of its tokens, or not at all.
/// Start
/// at [dev.cagewright.egress.login.TokenDesk] and [dev.cagewright.egress.login.TokenAnswer]. Nothing here keeps a
/// value:
/// whoever does says which decoy stands for it before anything goes on.
@NullMarked
package dev.cagewright.egress.login;

import org.jspecify.annotations.NullMarked;
