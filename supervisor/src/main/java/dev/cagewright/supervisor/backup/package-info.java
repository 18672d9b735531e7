/// A named cage as one file: [CageBackup] writes it, [CageRestore] reads it, and reads nothing from it that it does not
/// have to believe. Start at either. An archive is a zip; the names in it are the product's own, and what a workload
/// called its files stands in a manifest, so that no name of an archive ever becomes a path.
@NullMarked
package dev.cagewright.supervisor.backup;

import org.jspecify.annotations.NullMarked;
