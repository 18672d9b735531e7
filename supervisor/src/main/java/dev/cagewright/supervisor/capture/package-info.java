/// A session's capture: the exchanges of its cage, in one file of the session's folder. Start at [SessionCapture],
/// which
/// writes it while the cage lives, and [CaptureReader], which reads whatever is there of it, whole or not. Traffic
/// never
/// waits for the disk here, and a capture that cannot be kept ends what it was to be kept of ([CaptureJudge]).
@NullMarked
package dev.cagewright.supervisor.capture;

import org.jspecify.annotations.NullMarked;
