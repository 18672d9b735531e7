package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/// A function of the C library whose parameters are integers and pointers. All of them travel as 64-bit
/// registers, as both the x86-64 and the AArch64 calling convention have it. Blocks the calling thread
/// as long as the function does.
final class CFunction {
    private static final int MAX_PARAMETERS = 6;
    private static final int NOT_VARIADIC = -1;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();

    private static final ThreadLocal<MemorySegment> LAST_STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    private final MethodHandle handle;

    private CFunction(MethodHandle handle) {
        this.handle = handle;
    }

    /// A function that returns `int`.
    static CFunction ofInt(String name, int parameters) {
        return new CFunction(link(name, parameters, NOT_VARIADIC, INT));
    }

    /// A function that returns `int`, with variable arguments from `firstVariadic` on.
    static CFunction ofVariadicInt(String name, int parameters, int firstVariadic) {
        return new CFunction(link(name, parameters, firstVariadic, INT));
    }

    /// A function that returns `long` or a pointer.
    static CFunction ofLong(String name, int parameters) {
        return new CFunction(link(name, parameters, NOT_VARIADIC, ValueLayout.JAVA_LONG));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, int parameters, int firstVariadic, MemoryLayout result) {
        var layouts = new MemoryLayout[parameters];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        var linker = Linker.nativeLinker();
        var address = linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new IllegalStateException("C library: no function " + name));
        var errno = Linker.Option.captureCallState("errno");
        var options = firstVariadic == NOT_VARIADIC
                ? new Linker.Option[] {errno}
                : new Linker.Option[] {errno, Linker.Option.firstVariadicArg(firstVariadic)};
        var linked = linker.downcallHandle(address, FunctionDescriptor.of(result, layouts), options);
        var padding = new Class<?>[MAX_PARAMETERS - parameters];
        Arrays.fill(padding, long.class);
        return MethodHandles.dropArguments(linked, parameters + 1, padding)
                .asType(MethodType.methodType(
                        long.class,
                        MemorySegment.class,
                        long.class,
                        long.class,
                        long.class,
                        long.class,
                        long.class,
                        long.class));
    }

    /// What the function returned, or the negated errno when that was -1.
    ///
    /// @param arguments at most six; the missing ones are zero
    long call(long... arguments) {
        var state = LAST_STATE.get();
        long result = invoke(state, Arrays.copyOf(arguments, MAX_PARAMETERS));
        return result == -1 ? -(long) state.get(INT, 0) : result;
    }

    private long invoke(MemorySegment state, long[] a) {
        try {
            return (long) handle.invokeExact(state, a[0], a[1], a[2], a[3], a[4], a[5]);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
