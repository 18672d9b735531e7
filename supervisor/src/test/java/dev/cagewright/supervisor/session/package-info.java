/// Sessions with real cages, real logs and real files.
@NullMarked
package dev.cagewright.supervisor.session;

import org.jspecify.annotations.NullMarked;
