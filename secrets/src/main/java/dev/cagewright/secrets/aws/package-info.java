/// Signatures of requests to Amazon Web Services and what speaks like them, version 4: they are made with a key and do
/// not
/// carry it, so no decoy can be replaced in them. Start at [dev.cagewright.secrets.aws.AwsSigning]. Source: "AWS
/// Signature
/// Version 4 for API requests" of the IAM user guide.
@NullMarked
package dev.cagewright.secrets.aws;

import org.jspecify.annotations.NullMarked;
