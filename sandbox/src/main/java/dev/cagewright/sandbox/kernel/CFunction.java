package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Collections;

/// A function of the C library whose parameters are integers and pointers. All of them travel as 64-bit
/// registers, as both the x86-64 and the AArch64 calling convention of Linux have it: a parameter too many is
/// not looked at, and one in a variable list travels like any other. So one call of six registers fits every
/// function, and the JVM, which makes code for each shape of call when it first sees it, makes it once.
/// Blocks the calling thread as long as the function does.
final class CFunction {
    private static final int MAX_PARAMETERS = 6;
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final MethodHandle SIX_REGISTERS = sixRegisters();

    private static final ThreadLocal<MemorySegment> LAST_STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    private final MemorySegment address;
    private final Result result;

    /// What of the result's register the function sets.
    private enum Result {
        INT,
        LONG
    }

    private CFunction(String name, Result result) {
        this.address = Linker.nativeLinker()
                .defaultLookup()
                .find(name)
                .orElseThrow(() -> new IllegalStateException("C library: no function " + name));
        this.result = result;
    }

    /// A function that returns `int`.
    static CFunction ofInt(String name) {
        return new CFunction(name, Result.INT);
    }

    /// A function that returns `long` or a pointer.
    static CFunction ofLong(String name) {
        return new CFunction(name, Result.LONG);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle sixRegisters() {
        var registers =
                Collections.nCopies(MAX_PARAMETERS, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
        return Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.of(ValueLayout.JAVA_LONG, registers),
                        Linker.Option.captureCallState("errno"));
    }

    /// What the function returned, or the negated errno when that was -1.
    ///
    /// @param arguments at most six; the missing ones are zero
    long call(long... arguments) {
        var state = LAST_STATE.get();
        long register = invoke(state, Arrays.copyOf(arguments, MAX_PARAMETERS));
        long returned = switch (result) {
            case INT -> (int) register;
            case LONG -> register;
        };
        return returned == -1 ? -(long) state.get(ValueLayout.JAVA_INT, 0) : returned;
    }

    private long invoke(MemorySegment state, long[] a) {
        try {
            return (long) SIX_REGISTERS.invokeExact(address, state, a[0], a[1], a[2], a[3], a[4], a[5]);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
