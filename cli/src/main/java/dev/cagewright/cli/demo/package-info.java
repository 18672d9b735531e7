/// `demo`: the whole story in one command. Start at [DemoCommand]. Everything in it is real.
@NullMarked
package dev.cagewright.cli.demo;

import org.jspecify.annotations.NullMarked;
