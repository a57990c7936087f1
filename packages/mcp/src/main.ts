// `msgctl-mcp`: serves MCP until its client goes or a signal stops it. Standard output belongs to the protocol.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Access, CliError, readSettings, resolveAccess } from "msgctl/calls";
import { type Session, Turns } from "./call-tool.ts";
import { help, LineError, readLine } from "./command-line.ts";
import type { Options } from "./options.ts";
import { SendBudget, SendMemory } from "./sends.ts";
import { createServer, type ServerParts } from "./server.ts";

/** The number of calls that may be under way at a time, over all clients. */
const MOST_CALLS = 32;
const SHORTEST_TOKEN = 32;

/** Runs `msgctl-mcp` with its arguments. Sets the exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const line = readLine(args);
    if (line === "help") process.stdout.write(help);
    else if (line === "version") process.stdout.write(`${readVersion()}\n`);
    else await serve(line);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell(error instanceof LineError ? `${message}\nRun msgctl-mcp --help for what is allowed.` : message);
    process.exitCode = error instanceof LineError ? 2 : 1;
  }
}

async function serve(options: Options): Promise<void> {
  const parts: ServerParts = {
    session: createSession(options),
    turns: new Turns(MOST_CALLS),
    version: readVersion(),
    docs: new URL("docs/", import.meta.url),
  };
  tellMissingAccess(parts.session);
  const factory = () => createServer(parts);
  if (options.httpPort === undefined) return serveOne(factory, parts.turns);
  // loads Node's HTTP server only if it is wanted
  const { serveHttp } = await import("./http-server.ts");
  const { token, isOwn } = readToken();
  const running = await serveHttp(factory, { port: options.httpPort, token });
  tell(`listening on ${running.url}${isOwn ? `\nclients send: Authorization: Bearer ${token}` : ""}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void running.close());
}

function serveOne(factory: () => ReturnType<typeof createServer>, turns: Turns): void {
  if (process.stdin.isTTY) {
    tell("waiting for an MCP client on standard input; a client starts this program itself. See msgctl-mcp --help.");
  }
  // the library would drop the calls that are under way when the input ends; a client that pipes a request wants the reply
  const input = new PassThrough();
  const transport = new StdioServerTransport(input, process.stdout);
  const handle = serveStdio(factory, { transport });
  let isEnding = false;
  const end = () => {
    isEnding = true;
    void handle.close().then(() => process.exit(0));
  };
  const onClose = transport.onclose;
  transport.onclose = () => {
    onClose?.();
    if (isEnding) return;
    // it would stay, and answer nothing
    tell("the connection is closed: the client sent a line of more than 10 MiB, or reads no replies");
    process.exit(1);
  };
  process.stdin.pipe(input, { end: false });
  process.stdin.once("end", () => setImmediate(() => void turns.settle().then(() => setImmediate(end))));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
}

function createSession(options: Options): Session {
  let found: Access | undefined;
  return {
    options,
    access: () => {
      found ??= resolveAccess(options, readSettings(process.env), process.cwd());
      return found;
    },
    memory: new SendMemory(() => performance.now()),
    budget: new SendBudget(options.maxSends),
    questions: createRequestStateCodec<string>({ key: randomBytes(32) }),
  };
}

/** A client shows an ended server without its reason. So this one starts, and its tools say what is missing. */
function tellMissingAccess(session: Session): void {
  try {
    session.access();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    tell([error.message, ...(error.details.hints ?? [])].join("\n"));
  }
}

/** @throws {LineError} If the token of the environment can be guessed, or cannot be sent in a header. */
function readToken(): { token: string; isOwn: boolean } {
  const given = process.env.MSGCTL_MCP_TOKEN;
  if (given === undefined || given === "") return { token: randomBytes(32).toString("base64url"), isOwn: true };
  if (!/^[!-~]+$/.test(given))
    throw new LineError("MSGCTL_MCP_TOKEN: expected printable ASCII characters without spaces");
  if (given.length >= SHORTEST_TOKEN) return { token: given, isOwn: false };
  throw new LineError(`MSGCTL_MCP_TOKEN: expected at least ${SHORTEST_TOKEN} characters, received ${given.length}`);
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

function tell(message: string): void {
  process.stderr.write(message.replace(/^/gm, "msgctl-mcp: ").concat("\n"));
}
