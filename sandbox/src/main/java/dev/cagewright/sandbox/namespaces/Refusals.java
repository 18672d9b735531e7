package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.KernelException;

/// Failures of the helper and the kernel, with what a person can do about each.
final class Refusals {
    private Refusals() {}

    static ConfinementException of(String step, KernelException cause, String remedy) {
        var refusal = new ConfinementException(step, cause.call(), cause.reason(), remedy);
        refusal.initCause(cause);
        return refusal;
    }

    /// What a `FAILED` message says; its text is step, NUL, call.
    static ConfinementException of(Wire.Answer failed) {
        int end = failed.text().indexOf('\0');
        var step = end < 0 ? "cage" : failed.text().substring(0, end);
        var call = failed.text().substring(end + 1);
        int errno = (int) failed.value();
        return new ConfinementException(step, call, Errno.words(errno), remedy(step, errno));
    }

    static ConfinementException helperGone(String step) {
        return new ConfinementException(
                step,
                "recvmsg(cage)",
                "the cage's first process is gone",
                "try again; if it stays, run cagewright doctor");
    }

    private static String remedy(String step, int errno) {
        return switch (step) {
            case "namespaces" -> namespaces(errno);
            case "identity" ->
                "let unprivileged user namespaces have capabilities: "
                        + "sysctl kernel.apparmor_restrict_unprivileged_userns=0";
            case "proc" ->
                "something covers parts of /proc here, as in a default container: "
                        + "start the container with --security-opt systempaths=unconfined";
            case "idmap" ->
                "this file system cannot show root's files as another user's: chown the workspace to an "
                        + "ordinary user, or run as the user who owns it";
            case "landlock" ->
                "enable Landlock: CONFIG_SECURITY_LANDLOCK=y and lsm=landlock,... on the kernel command line";
            case "seccomp" -> "enable CONFIG_SECCOMP_FILTER in the kernel";
            case "control groups" -> "run without control groups, or give this user a delegated one";
            case "network" -> "load the kernel's nft_tproxy support (modprobe nft_tproxy), or ask for no network";
            case "masks" -> "replace links above a protected path by directories, or waive that protection by name";
            default -> "run cagewright doctor; it tries each step and names what is missing";
        };
    }

    private static String namespaces(int errno) {
        return switch (errno) {
            case Errno.ENOSPC, Errno.EUSERS ->
                "allow more namespaces: sysctl user.max_user_namespaces=15000 (and max_net_namespaces, max_mnt_namespaces)";
            case Errno.EAGAIN -> "too many processes for this user: raise ulimit -u or end some";
            default ->
                "allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1 (Debian), "
                        + "kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), or a seccomp profile that permits "
                        + "clone(CLONE_NEWUSER) (containers)";
        };
    }
}
