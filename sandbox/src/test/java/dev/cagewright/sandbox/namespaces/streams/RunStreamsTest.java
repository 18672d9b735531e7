package dev.cagewright.sandbox.namespaces.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.kernel.KernelException;
import org.junit.jupiter.api.Test;

/// A program that could not be started, while its cage died: both sides say so, in whichever order.
class RunStreamsTest {
    private static RunStreams opened() throws KernelException {
        return RunStreams.open(Streams.Pipes.discarding(), 1_000);
    }

    @Test
    void an_end_that_is_told_after_the_streams_were_given_up_is_nothing() throws KernelException {
        var streams = opened();
        assertThat(streams.inside()).hasSize(3);
        streams.abandon();

        assertThatCode(streams::programEnded).doesNotThrowAnyException();
        assertThatCode(streams::abandon).doesNotThrowAnyException();
    }

    @Test
    void streams_that_are_given_up_after_the_end_was_told_close_once() throws KernelException {
        var streams = opened();
        streams.programEnded();

        assertThatCode(streams::abandon).doesNotThrowAnyException();
        assertThatCode(streams::programEnded).doesNotThrowAnyException();
    }
}
