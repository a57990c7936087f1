/** Tests that no command writes control characters from the service to the terminal. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { catalog } from "../catalog.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { type Ended, folder, msgctl, type Received, reply, service, type World } from "../testing/world.ts";
import { FORMATS, type Format } from "./format.ts";

/** All forbidden characters. The list does not use the program's pattern, so that it can reveal an error there. */
const FORBIDDEN = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  ...[0x2066, 0x2067, 0x2068, 0x2069, 0xd800, 0xdfff],
].map((code) => String.fromCharCode(code));
/** Texts that must stay unchanged: joined emoji, letters that need a joiner, right-to-left words, accents. */
const KEPT = ["👩‍👩‍👧", "می‌خواهم", "שלום", "é", "日本", "a", " "];

/** A text with all of these in any order. Lone surrogates are never adjacent, since together they would be a character. */
const hostile = fc
  .tuple(fc.shuffledSubarray(FORBIDDEN, { minLength: FORBIDDEN.length }), fc.shuffledSubarray(KEPT, { minLength: 7 }))
  .map(([forbidden, kept]) => forbidden.map((character) => `${character}x`).join("") + kept.join(""));

/** Sequences with which msgctl itself clears a line. */
const CLEARING = ["\r\u001b[K", "\r\u001b[2K"];

/** Characters that are allowed in a text of several lines, but not in a table cell. */
const LAYOUT = ["\n", "\t"];

function forbiddenIn(text: string, isTerminal: boolean): string[] {
  const shown = isTerminal ? CLEARING.reduce((left, own) => left.replaceAll(own, ""), text) : text;
  return [...new Set(shown)]
    .filter((character) => !LAYOUT.includes(character) && FORBIDDEN.includes(character))
    .map((character) => `U+${character.charCodeAt(0).toString(16)}`);
}

/** Returns a view that is valid for every operation and has hostile texts and names. */
function view(text: string) {
  const inner = { id: 7, [text]: text, name: text, updatedAt: text };
  return {
    ...{
      id: 7,
      requestId: "7",
      batchId: "9",
      messageId: text,
      merchantId: text,
      status: text,
      tenantId: 1,
      parcelId: text,
    },
    ...{ message: text, createdAt: "2026-03-01T12:00:00Z", alertType: text, severity: text, channel: text },
    ...{ contact: text, source: text, displayName: text, size: { litres: text, [text]: [text] }, stops: [text] },
    ...{ readyToSend: true, blockingReason: text, brands: [inner], campaigns: [inner], numbers: [inner], [text]: text },
  };
}

const LISTS = /\/(?:merchants|consents|alerts|tts-calls|numbers|parcels)(?:\?.*)?$/;

/** Starts a service with hostile answers. If `refusedAs` is given, it refuses all requests with that code or a hostile one. */
async function hostileService(text: () => string, answers: { refusedAs?: string | undefined } = {}) {
  return service((response, request) => {
    const { url = "", method } = request;
    const said = text();
    response.setHeader("x-request-id", "r\u009b2J\u0085");
    if (url.endsWith("/openapi.json"))
      return reply(response, 200, { info: { version: said }, paths: { x: { get: { operationId: said } } } });
    if (answers.refusedAs !== undefined) {
      const code = answers.refusedAs || said;
      const errors = [{ pointer: `/${said}`, code: said, detail: said }];
      return reply(response, 422, { type: said, code, status: 422, title: said, detail: said, errors, [said]: said });
    }
    if (url.endsWith("/sip-presence")) return response.writeHead(204).end();
    if (url.includes("directory"))
      return response.setHeader("content-type", "application/xml").end(`<document>${said}</document>`);
    if (method === "GET" && LISTS.test(url)) return reply(response, 200, [view(said), view(`${said}2`)]);
    reply(response, 200, view(said));
  });
}

const SMS = ["--merchant-id", "m", "--to", "+12025550100", "--message", "Hi", "--type", "OTP"];
const REGISTRATION = "merchantId: m1\nbrand:\n  legalBusinessName: Acme\n";
const ROWS = "merchantId,to,message,type\nm,+12025550100,Hi,OTP\n";

/** Command lines of every kind. */
const COMMANDS: readonly (readonly string[])[] = [
  ["merchants", "list"],
  ["merchants", "list", "-q", "[]"],
  ["merchants", "list", "-q", "[].displayName"],
  ["merchants", "list", "-q", "[0].displayName"],
  ["merchants", "get", "m"],
  ["registration", "status", "m"],
  ["provisioning", "directory", "alice"],
  ["provisioning", "presence", "--sip-username", "a", "--registered"],
  ["send", "sms", ...SMS],
  ["send", "sms", ...SMS, "-v"],
  ["tts", "list"],
  ["tts", "watch", "9", "--wait-timeout", "1"],
  ["alerts", "list"],
  ["alerts", "tail", "--since", "1d", "--count", "2", "--wait-timeout", "5"],
  ["consent", "check", "+12025550100", "--channel", "SMS", "--merchant-id", "m"],
  ["registration", "wait", "m"],
  ["registration", "apply", "r.yaml", "--dry-run"],
  ["registration", "apply", "r.yaml", "-y"],
  ["api", "GET", "/api/v1/merchants"],
  ["doctor"],
  ["auth", "status"],
];

const JSON_FORMATS: readonly Format[] = ["json", "jsonl"];
/** Formats whose output, without a terminal, is a data file with exactly the text that the service sent. */
const EXACT: readonly Format[] = ["csv", "raw"];

interface Run {
  line: readonly string[];
  format: Format;
  terminal: number | undefined;
  env: World["env"];
}

async function run({ line, format, terminal, env }: Run): Promise<Ended & { cwd: string }> {
  const cwd = folder();
  writeFileSync(join(cwd, "r.yaml"), REGISTRATION);
  writeFileSync(join(cwd, "rows.csv"), ROWS);
  const world = { catalog, cwd, terminal, clock: createFakeClock(), env: { ...env, NO_COLOR: "1", HOME: cwd } };
  return { ...(await msgctl([...line, "-o", format, "--retries", "0"], world)), cwd };
}

/** Hostile texts, with and without a terminal. */
const worlds = fc.record({ text: hostile, terminal: fc.constantFrom(40, 80, 200, undefined) });

function expectClean({ stdout, stderr }: Ended, { format, terminal }: Pick<Run, "format" | "terminal">): void {
  const isExact = terminal === undefined && EXACT.includes(format);
  const stdoutHas = isExact ? [] : forbiddenIn(stdout, terminal !== undefined);
  const stderrHas = forbiddenIn(stderr, terminal !== undefined);
  expect({ format, stdoutHas, stderrHas }).toEqual({ format, stdoutHas: [], stderrHas: [] });
}

/** Runs a check with each format, and reports all formats that fail it. */
async function eachFormat(check: (format: Format) => Promise<void>): Promise<void> {
  for (const format of FORMATS)
    await check(format).catch((error) => expect.soft(error, `-o ${format}`).toBeUndefined());
}

describe.each(COMMANDS.map((line) => [line.join(" "), line] as const))("msgctl %s", (_, line) => {
  it("writes no control characters of an answer, in any format", async () => {
    let said = "";
    const { env } = await hostileService(() => said);
    await eachFormat((format) =>
      fc.assert(
        fc.asyncProperty(worlds, async ({ text, terminal }) => {
          said = text;
          const ended = await run({ line, format, terminal, env });
          // make sure that the line was accepted, so that the output has texts of the service
          expect([0, 8, 10]).toContain(ended.exitCode);
          expectClean(ended, { format, terminal });
          if (JSON_FORMATS.includes(format) && ended.stdout !== "") {
            const documents = format === "json" ? [ended.stdout] : ended.stdout.trimEnd().split("\n");
            for (const document of documents) JSON.parse(document);
          }
        }),
        { numRuns: 3 },
      ),
    );
  });

  it("writes no control characters of an error, in any format", async () => {
    let said = "";
    const { env } = await hostileService(() => said, { refusedAs: "" });
    await eachFormat((format) =>
      fc.assert(
        fc.asyncProperty(worlds, async ({ text, terminal }) => {
          said = text;
          expectClean(await run({ line, format, terminal, env }), { format, terminal });
        }),
        { numRuns: 2 },
      ),
    );
  });
});

it.each(["table", "json", "jsonl"] as const)(
  "send bulk writes no control characters with -o %s, and none into its failed file",
  async (format) => {
    let said = "";
    for (const refusedAs of ["quota_exceeded", undefined]) {
      const { env } = await hostileService(() => said, { refusedAs });
      await fc.assert(
        fc.asyncProperty(worlds, async ({ text, terminal }) => {
          said = text;
          const line = ["send", "bulk", "rows.csv", "--channel", "SMS", "-y"];
          const { cwd, ...ended } = await run({ line, format, terminal, env });
          expectClean(ended, { format, terminal });
          const written = readdirSync(cwd).filter((name) => name.includes("failed"));
          expect(written).toHaveLength(refusedAs === undefined ? 0 : 1);
          for (const name of written) expect(forbiddenIn(readFileSync(join(cwd, name), "utf8"), false)).toEqual([]);
        }),
        { numRuns: 3 },
      );
    }
  },
);

it.each(FORMATS)("listen writes no control characters with -o %s", async (format) => {
  await fc.assert(
    fc.asyncProperty(worlds, async ({ text, terminal }) => {
      const handler = await hostileService(() => text);
      const data = { requestId: text, status: text, [text]: text };
      let isPosted = false;
      const cwd = folder();
      const argv = [
        "listen",
        "--port",
        "0",
        "--no-verify",
        "--count",
        "1",
        "--forward",
        handler.baseUrl,
        "-o",
        format,
        "-v",
      ];
      let post: Promise<unknown> = Promise.resolve();
      let told = "";
      const ended = await msgctl(argv, {
        ...{ catalog, cwd, terminal, env: { NO_COLOR: "1", HOME: cwd } },
        onWrite: (name, written) => {
          if (name === "stderr") told += written;
          const url = /Listening on (\S+)/.exec(told)?.[1];
          if (url === undefined || isPosted) return;
          isPosted = true;
          const body = JSON.stringify({ type: text, timestamp: text, data });
          post = fetch(url, { method: "POST", body, headers: { "webhook-id": "e\u009b1" } });
        },
      });
      await post;
      expect(ended.exitCode).toBe(0);
      expectClean(ended, { format, terminal });
    }),
    { numRuns: 4 },
  );
});

describe("an escaped character", () => {
  it.each(["json", "jsonl", "yaml"] as const)("is the same value in %s", async (format) => {
    let said = "";
    const { env } = await hostileService(() => said);
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        said = text;
        const line = ["merchants", "get", "m"];
        const { stdout } = await run({ line, format, terminal: 80, env });
        expect(format === "yaml" ? parse(stdout) : JSON.parse(stdout)).toEqual(view(text));
      }),
      { numRuns: 5 },
    );
  });

  it("is always a control character: joined emoji and right-to-left words are shown unchanged", async () => {
    const { env } = await hostileService(() => KEPT.join(""));
    for (const format of FORMATS) {
      const { stdout } = await run({ line: ["merchants", "get", "m"], format, terminal: 500, env });
      for (const kept of KEPT) expect(stdout).toContain(kept);
    }
  });

  it("is escaped in a curl command whose body is equivalent", async () => {
    const { env, received } = await service((response) => reply(response, 200, { messageId: "m" }));
    const message = "a\u009bb\u202ec";
    const line = ["send", "direct-sms", "--to", "+12025550100", "--message", message];
    const { stdout } = await run({ line: [...line, "--curl"], format: "table", terminal: 80, env });
    expect(forbiddenIn(stdout, true)).toEqual([]);
    const body = /--data-binary '(.*)'/.exec(stdout)?.[1] ?? "";
    await run({ line: [...line, "-y"], format: "json", terminal: undefined, env });
    const bodies: unknown[] = received.map((request: Received) => JSON.parse(request.body));
    expect(bodies).toEqual([JSON.parse(body)]);
  });
});
