/** A whole service in this process, and an MCP client that is connected to it. */
import {
  type CallToolResult,
  Client,
  type ClientCapabilities,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createMcpHandler, createRequestStateCodec, type Transport } from "@modelcontextprotocol/server";
import { createMockService, type MockService } from "@msgctl/mocks";
import { type Session, Turns } from "../call-tool.ts";
import { readLine } from "../command-line.ts";
import type { Options } from "../options.ts";
import { SendBudget, SendMemory } from "../sends.ts";
import { createServer, type ServerParts } from "../server.ts";

export interface World {
  readonly service: MockService;
  readonly client: Client;
  readonly session: Session;
  /** The questions that the person was asked. */
  readonly asked: string[];
  /** Calls a tool, and returns what a model reads. */
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  /** Moves the clock with which sends are remembered. */
  pass(ms: number): void;
}

export interface Called {
  readonly isError: boolean;
  readonly structured: Record<string, unknown>;
  /** The remarks before the data. */
  readonly notes: string;
  /** The error of a failed call. */
  readonly error: { code: string; message: string; hints?: string[]; [name: string]: unknown };
}

export type Answer = "accept" | "unchecked" | "decline" | "cancel";

export interface WorldOptions {
  /** The command line of the server. */
  readonly line?: string;
  /** The answer of the person; undefined if the client cannot ask. */
  readonly answer?: Answer | undefined;
  /** The protocol: since 2026-07-28 a client repeats a request with the answers, before it was asked meanwhile. */
  readonly era?: "legacy" | "modern";
  readonly service?: MockService;
  /** The folder of documentation pages. */
  readonly docs?: URL;
  /** Called with each request to the service; may throw, or return a reply of its own. */
  readonly intercept?: (url: string, send: () => Promise<Response>) => Promise<Response>;
}

export const CONFIRM_ALL = { line: "--allow all --allow-billable", answer: "accept" } as const;

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { line = "", answer, era = "legacy", intercept } = options;
  const service = options.service ?? (await createMockService({ onMistake: "silent" }));
  let now = 0;
  const parsed = readLine(line.split(" ").filter(Boolean)) as Options;
  const { baseUrl, apiKey, apiSecret } = service;
  const fetch = (url: string, init: object) => {
    const send = () => service.fetch(url, init as RequestInit);
    return intercept === undefined ? send() : intercept(url, send);
  };
  const session: Session = {
    options: parsed,
    access: () => ({ baseUrl, apiKey, apiSecret }),
    memory: new SendMemory(() => now),
    budget: new SendBudget(parsed.maxSends),
    questions: createRequestStateCodec<string>({ key: "k".repeat(32) }),
    transport: fetch as never,
  };
  const parts: ServerParts = {
    session,
    turns: new Turns(4),
    version: "1.2.3",
    docs: options.docs ?? new URL("docs/", import.meta.url),
  };
  const asked: string[] = [];
  const client = createClient(answer, era, asked);
  await client.connect(connect(parts, era) as never);
  return {
    ...{ service, client, session, asked },
    call: async (name, args = {}) => readCalled((await client.callTool({ name, arguments: args })) as CallToolResult),
    pass: (ms) => {
      now += ms;
    },
  };
}

function createClient(answer: Answer | undefined, era: string, asked: string[]): Client {
  const capabilities: ClientCapabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const versionNegotiation = era === "modern" ? ({ mode: { pin: "2026-07-28" } } as const) : undefined;
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities, ...(versionNegotiation && { versionNegotiation }) },
  );
  if (answer === undefined) return client;
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message);
    if (answer === "accept" || answer === "unchecked")
      return { action: "accept", content: { confirm: answer === "accept" } };
    return { action: answer };
  });
  return client;
}

function connect(parts: ServerParts, era: string): Transport | StreamableHTTPClientTransport {
  if (era === "modern") {
    const handler = createMcpHandler(() => createServer(parts));
    return new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    });
  }
  const [forClient, forServer] = InMemoryTransport.createLinkedPair();
  void createServer(parts).connect(forServer as never);
  return forClient as never;
}

function readCalled({ isError = false, content, structuredContent }: CallToolResult): Called {
  const texts = content.map((part) => (part.type === "text" ? part.text : ""));
  const last = texts.at(-1) ?? "{}";
  return {
    isError,
    structured: (structuredContent ?? {}) as Record<string, unknown>,
    notes: texts.slice(0, -1).join("\n"),
    error: isError ? JSON.parse(last).error : { code: "", message: "" },
  };
}
