package dev.cagewright.sandbox.kernel;

/// What statx(2) says about a file.
///
/// @param device the kernel's number of the file system, as in `st_dev`
/// @param mode type and permissions, as in `st_mode`
public record FileStatus(long device, long inode, int mode, int owner, int group) {
    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int SYMBOLIC_LINK = 0120000;

    public boolean isDirectory() {
        return (mode & TYPE) == DIRECTORY;
    }

    public boolean isRegular() {
        return (mode & TYPE) == REGULAR;
    }

    public boolean isLink() {
        return (mode & TYPE) == SYMBOLIC_LINK;
    }
}
