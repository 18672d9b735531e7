/// Grants: temporary, narrow additions to a policy, and the bounds that a policy sets them. Start at
/// [dev.cagewright.policy.grant.Granted]. A grant fills the silence of a policy and nothing else: it never overrules a
/// denial, never answers a question that a person has to, never lends a secret. Nothing here asks or counts time.
@NullMarked
package dev.cagewright.policy.grant;

import org.jspecify.annotations.NullMarked;
