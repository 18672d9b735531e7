/** Cagewright from node. Start at `Supervisor`, or at `Mcp`. Times are seconds, words of commands are text or bytes. */

export type Word = string | Uint8Array;

export type Json = { readonly [name: string]: unknown };

/** Everything that this package throws of its own accord. */
export class CagewrightError extends Error {
  protected constructor(message: string);
}

/** A rule denies it. */
export class Denied extends CagewrightError {
  private constructor();
  readonly denial: Denial;
}

/** It is not done, and no rule is the reason. `code` is what the command would end with (docs/exit-codes.md). */
export class Refused extends CagewrightError {
  private constructor();
  readonly code: number;
}

/** Nobody answers, or whoever answered is gone. What ran there has ended with it. */
export class Unavailable extends CagewrightError {
  private constructor();
}

/** The other side says what makes no sense. */
export class ProtocolError extends CagewrightError {
  private constructor();
}

/** The time that was given is over. A program that was waited for has been ended. */
export class TimedOut extends CagewrightError {
  private constructor();
  readonly id: string | null;
  /** What it had written by then. */
  get stdout(): Buffer;
  get stderr(): Buffer;
}

/** What was denied, by which rules, and the narrowest change that would allow it. */
export class Denial {
  private constructor();
  /** The decision; null where none was made. */
  readonly id: string | null;
  readonly what: string;
  /** The most specific first. */
  readonly rules: readonly string[];
  readonly code: string;
  readonly why: string;
  /** Where the rule stands. */
  readonly where: string | null;
  /** Lines of a policy, or a line that begins with `#` where no change of a policy would allow it. */
  readonly fix: readonly string[];
  get rule(): string;
  toString(): string;
}

/** One line of the audit log (docs/audit-format.md). */
export class Event {
  private constructor();
  readonly seq: number;
  readonly time: string;
  readonly session: string;
  readonly cage: string;
  readonly id: string;
  readonly kind: string;
  readonly action: Json;
  readonly decision: string;
  readonly rules: readonly string[];
  readonly detail: Json;
  /** The line, byte for byte. */
  get line(): Buffer;
  /** The action's name, e.g. `proc.exec`. */
  get name(): string;
  denial(): Denial;
}

/** What the log has about one decision, the oldest line first. */
export class Decision {
  private constructor();
  readonly id: string;
  readonly lines: readonly Event[];
  get intent(): Event | null;
  get outcome(): Event | null;
  get allowed(): boolean;
  get rules(): readonly string[];
  /** Its rules and what would allow it, where it was denied. */
  get denial(): Denial | null;
}

/** How a program ended. */
export class Result {
  private constructor();
  /** Its code, 128 + n after signal n, 124 when `resources.timeout` ended it, 126 and 127 when it could not be started. */
  readonly exit: number;
  /** `exited`, `signalled`, or what limit ended it; `output` when it wrote more than was wanted here. */
  readonly cause: string;
  readonly id: string | null;
  /** What its cage was denied while it ran, whichever of its programs asked. */
  readonly denied: readonly Denial[];
  readonly told: readonly string[];
  readonly outcome: Json;
  get ok(): boolean;
  get stdout(): Buffer;
  get stderr(): Buffer;
  get truncated(): boolean;
}

/** What an origin answered. */
export class Response {
  private constructor();
  readonly status: number;
  readonly contentType: string | null;
  /** Why `body` is not whole; null when it is. */
  readonly cut: string | null;
  readonly id: string | null;
  get body(): Buffer;
}

/** A named cage that is up. */
export interface CageState {
  readonly name: string;
  readonly session: string;
  readonly since: string;
  readonly programs: number;
  readonly own: string;
  readonly denials: number;
}

export interface State {
  readonly version: number;
  readonly process: number;
  /** What this supervisor can be asked. */
  readonly questions: readonly string[];
  readonly cages: readonly CageState[];
}

export interface SupervisorOptions {
  /** Where it listens; without one the state folder says it, as for the commands. */
  readonly socket?: string;
  /** For questions that nobody has to wait long for; 60. */
  readonly timeout?: number;
}

export interface EventFilter {
  readonly session?: string;
  readonly action?: string;
  readonly decision?: 'allow' | 'deny' | 'ask';
  readonly since?: Date;
  /** At most 10,000; 50. */
  readonly limit?: number;
  readonly timeout?: number;
}

export interface UpOptions {
  /** Names of stored secrets, `NAME` or `NAME=VARIABLE`. */
  readonly secrets?: readonly string[];
  readonly env?: { readonly [name: string]: string | undefined };
  readonly timeout?: number;
}

export interface StartOptions {
  /** For all of it, a person's answer included; no limit without one. */
  readonly timeout?: number;
  /** What it could get, by the policy's `env`; by default this process's own. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** A program that writes more is ended; 64 MiB. */
  readonly maxOutput?: number;
  /** Hears each question that a person has to answer first: its `id` (`cagewright approve ID`), `what` and `until`. */
  readonly onQuestion?: (question: Json) => void;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

export interface RunOptions extends StartOptions {
  readonly stdin?: Word;
}

export interface FetchOptions {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  /** At most 8 MiB. */
  readonly body?: Word;
  /** A secret that the cage is lent; the gateway puts its value in. */
  readonly credential?: string;
  /** The header that it goes in; `Authorization: Bearer` without one. */
  readonly field?: string;
  readonly timeout?: number;
  /** At most, and by default, 64 MiB. */
  readonly maxBody?: number;
  readonly signal?: AbortSignal;
}

export interface Chunk {
  readonly stream: 'stdout' | 'stderr';
  readonly chunk: Buffer;
}

/** The background supervisor of this person. Only a socket of this user in a folder of this user alone is believed. */
export class Supervisor implements AsyncDisposable {
  constructor(options?: SupervisorOptions);
  cage(name: string): Cage;
  state(): Promise<State>;
  /** What the log has about one decision; null if it has nothing. */
  decision(id: string): Promise<Decision | null>;
  /** Events of the audit log, the newest first. */
  events(filter?: EventFilter): Promise<Event[]>;
  /** Ends the programs that were started by it and still run. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A named cage, by its name. */
export class Cage {
  private constructor();
  readonly name: string;
  /** Brings it up under a supervisor that runs, with its policy's set-up first, if it has one. Gives what a person should hear. */
  up(options?: UpOptions): Promise<readonly string[]>;
  /** Takes it down. When it is done, no process of it lives. Gives what a person should hear of what it left. */
  stop(options?: { timeout?: number }): Promise<readonly string[]>;
  state(): Promise<CageState | null>;
  /** Starts a program; the caller closes it. Done when it is allowed and about to start. */
  start(argv: readonly Word[], options?: StartOptions): Promise<Program>;
  /** Runs a program to its end. */
  run(argv: readonly Word[], options?: RunOptions): Promise<Result>;
  /** Makes one request under the cage's policy, through its gateway. No redirect is followed. */
  fetch(url: string | URL, options?: FetchOptions): Promise<Response>;
}

/** A program in a cage while it runs. Iterating gives its output as it comes. Closing it ends it. */
export class Program implements AsyncDisposable, AsyncIterable<Chunk> {
  private constructor();
  /** The decision that allows it. */
  get id(): string | null;
  /** What a person should hear. */
  get told(): readonly string[];
  [Symbol.asyncIterator](): AsyncGenerator<Chunk, void, void>;
  /** Writes to its standard input, and waits while it does not read. */
  write(data: Word): Promise<void>;
  closeStdin(): void;
  /** Gives it its input, takes all that it writes, and waits for its end. */
  communicate(stdin?: Word): Promise<Result>;
  /** Waits for its end; what it writes until then is not kept. */
  wait(): Promise<Result>;
  /** Nothing happens when it has ended. */
  signal(signal: number | NodeJS.Signals): void;
  terminate(): void;
  kill(): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface McpOptions {
  /** Of a server that is started; this process's own without one. */
  readonly env?: NodeJS.ProcessEnv;
  /** For what nobody has to wait long for; 60. Calls of tools have their own. */
  readonly timeout?: number;
  /** Answers what the server asks the person, approvals among it: with content, or null to decline. */
  readonly elicit?: (message: string, schema: Json) => Promise<Json | null> | Json | null;
}

export interface CallOptions {
  /** A call whose time is over is taken back, which ends what it runs. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, message: string) => void;
}

export interface ToolResult {
  readonly content: readonly Json[];
  /** By the tool's output schema; null where the tool did not do its work. */
  readonly structured: Json | null;
  readonly isError: boolean;
  readonly decision: Json;
  readonly id: string | null;
  readonly text: string;
}

export interface CommandOptions extends CallOptions {
  readonly cwd?: string;
  readonly stdin?: Word;
  /** Bytes of each output; more is cut out of the middle. */
  readonly maxOutput?: number;
}

export interface CommandResult {
  readonly exit: number;
  readonly ok: boolean;
  readonly cause: string;
  readonly why: string;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdoutCut: number;
  readonly stderrCut: number;
  readonly notices: readonly string[];
  readonly id: string | null;
}

export interface ReadOptions extends CallOptions {
  readonly offset?: number;
  readonly limit?: number;
}

export interface FilePart {
  readonly path: string;
  readonly content: Buffer;
  readonly offset: number;
  readonly size: number;
  /** Is there more behind it? */
  readonly more: boolean;
  readonly id: string | null;
}

export interface WriteOptions extends CallOptions {
  readonly mode?: 'overwrite' | 'create' | 'append';
  readonly parents?: boolean;
}

export interface FileWritten {
  readonly path: string;
  readonly size: number;
  readonly created: boolean;
  readonly id: string | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: Buffer;
  readonly cut: string | null;
  readonly id: string | null;
}

/** A client of `cagewright mcp serve`, or of another server, in the version 2025-11-25. */
export class Mcp implements AsyncDisposable {
  private constructor();
  /** Starts a server, whose standard input and output are the dialogue. */
  static start(command: readonly string[], options?: McpOptions): Promise<Mcp>;
  /** Finds one that was started by `mcp serve --unix PATH`, of this user alone. */
  static unix(socket: string, options?: McpOptions): Promise<Mcp>;
  get server(): Json;
  get instructions(): string | null;
  tools(): Promise<Json[]>;
  /** Calls any tool. Throws `Denied` where a policy denies it; a tool that fails otherwise gives `isError`. */
  call(tool: string, args?: Json, options?: CallOptions): Promise<ToolResult>;
  /** Runs one program in the cage; the server ends one whose time is over and says so in the result. */
  runCommand(argv: readonly string[], options?: CommandOptions): Promise<CommandResult>;
  /** A part of one file, as the cage sees it. */
  readFile(path: string, options?: ReadOptions): Promise<FilePart>;
  /** Writes one file, whole or not at all. */
  writeFile(path: string, content: Word, options?: WriteOptions): Promise<FileWritten>;
  /** Makes one request under the policy. */
  httpFetch(url: string | URL, options?: FetchOptions): Promise<HttpAnswer>;
  /** Ends the dialogue, and a server that was started; whatever of it still runs in the cage ends too. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
