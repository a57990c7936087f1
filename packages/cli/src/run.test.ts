/** Tests msgctl within this process, against an invented service on the loopback interface. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, msgctl, reply, SECRET, service, type World } from "./testing/world.ts";

const SEND = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100"];

const problem = (code: string, status: number) => ({
  code,
  status,
  title: "No.",
  detail: "Not like this.",
  requestId: "req_1",
});

it.each(["--version", "-V", "version"])("prints the versions for %s", async (word) => {
  expect(await msgctl([word])).toEqual({
    ...{ exitCode: 0, stderr: "", stdout: expect.stringMatching(/^msgctl \S+ \(contract \S+\)\n$/) },
  });
});

it("refuses -v alone, and points to the version", async () => {
  const { exitCode, stdout, stderr } = await msgctl(["-v"]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("Run `msgctl -V` for the version");
});

it("shows help for an empty line and for a group alone", async () => {
  for (const argv of [[], ["parcels"], ["parcels", "-v"]]) {
    expect(await msgctl(argv)).toEqual({ exitCode: 0, stdout: expect.stringContaining("USAGE"), stderr: "" });
  }
});

describe("a list", () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ parcelId: String(index), status: "ARRIVED" }));

  async function list(argv: readonly string[], world: Partial<World>) {
    const { env } = await service((response) => reply(response, 200, many));
    const paged: string[] = [];
    const terminal = { terminal: 80, rows: 24, onPage: (text: string) => void paged.push(text) };
    const plain = { NO_COLOR: "1", ...env, ...world.env };
    const ended = await msgctl(["parcels", "list", ...argv], { ...terminal, ...world, env: plain });
    expect(ended.exitCode).toBe(0);
    return { ...ended, paged };
  }

  it("goes to the pager if it is longer than the screen", async () => {
    const { stdout, paged } = await list([], {});
    expect([stdout, paged]).toEqual(["", [expect.stringMatching(/^parcelId .*\n(?:\d+ .*\n){30}$/)]]);
  });

  it.each<[string, string[], Partial<World>]>([
    ["fits", [], { rows: 40 }],
    ["is not a table", ["-o", "json"], {}],
    ["goes to a file", ["--out", "list.txt"], {}],
    ["is requested on a build server", [], { env: { CI: "1" } }],
    ["is shown on a terminal that takes only lines", [], { env: { TERM: "dumb" } }],
    ["is not shown on a terminal", [], { terminal: undefined }],
  ])("is printed if it %s", async (_, argv, world) => {
    expect((await list(argv, world)).paged).toEqual([]);
  });

  it("is printed if there is no pager", async () => {
    const { env } = await service((response) => reply(response, 200, many));
    const { stdout } = await msgctl(["parcels", "list"], { env, terminal: 80, rows: 24 });
    expect(stdout).toContain("29 ");
  });

  it("exits with the exit code of the signal that ends the pager", async () => {
    const { env } = await service((response) => reply(response, 200, many));
    const interruption = new AbortController();
    const ended = await msgctl(["parcels", "list"], {
      ...{ env, terminal: 80, rows: 24, signal: interruption.signal, interruptedExitCode: 143 },
      onPage: () => interruption.abort(),
    });
    expect([ended.exitCode, ended.stdout]).toEqual([143, ""]);
  });
});

describe("a command", () => {
  it("sends the flags' values with a new idempotency key, and shows the answer", async () => {
    const { env, received } = await service((response) => reply(response, 200, { parcelId: 7, status: "QUEUED" }));
    const ended = await msgctl([...SEND, "--labels", "a", "--labels", "b", "--no-fragile"], { env });
    expect(ended).toEqual({ exitCode: 0, stdout: "parcelId  7\nstatus    QUEUED\n", stderr: "" });
    const [request] = received;
    expect(request).toMatchObject({ method: "POST", url: "/depots/north/parcels" });
    expect(request?.headers).toMatchObject({ "x-api-key": "mkt_test_key", "x-api-secret": SECRET });
    expect(request?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(request?.body ?? "")).toEqual({
      ...{ kind: "BOX", contact: { phone: "+12025550100" }, fragile: false, labels: ["a", "b"] },
    });
  });

  it("accepts values that look like flags, and global flags before and after its words", async () => {
    const { env, received } = await service((response) => reply(response, 200, { parcelId: 7 }));
    const argv = ["-o", "json", "parcels", "--quiet", "send", "north", "--kind", "BOX", "--phone", "+12025550100"];
    const ended = await msgctl([...argv, "--labels", "--yes", "--idempotency-key", "k 1"], { env });
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([0, { parcelId: 7 }]);
    expect(JSON.parse(received[0]?.body ?? "").labels).toEqual(["--yes"]);
    expect(received[0]?.headers["idempotency-key"]).toBe("k 1");
  });

  it("is found by its aliases", async () => {
    const { env } = await service((response) => reply(response, 200, { parcelId: 8 }));
    const ended = await msgctl(["parcels", "post", ...SEND.slice(2)], { env });
    expect(ended.stdout).toBe("parcelId  8\nstatus    -\n");
  });

  it("reads a secret from a file or from standard input, never from the command line", async () => {
    const { env, received } = await service((response) => reply(response, 200, {}));
    await msgctl([...SEND, "--pin-file", "-"], { env, stdin: "4711\n" });
    expect(JSON.parse(received[0]?.body ?? "").pin).toBe("4711");
    const refused = await msgctl([...SEND, "--pin", "4711"], { env });
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("unknown option '--pin'")]);
    expect(refused.stderr).not.toContain("4711");
    const missing = await msgctl([...SEND, "--pin-file", "none.txt"], { env });
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining('"none.txt" cannot be read')]);
  });

  it("sends query values and shows a list", async () => {
    const { env, received } = await service((response) => {
      reply(response, 200, [{ parcelId: 1, status: "ARRIVED", size: { litres: 3 }, pin: "4711" }]);
    });
    const ended = await msgctl(["parcels", "list", "--limit", "2", "--since", "2025-01-31"], { env });
    expect(ended.stdout).toBe("parcelId  status   size.litres\n1         ARRIVED  3\n");
    expect(received[0]?.url).toBe("/parcels?limit=2&since=2025-01-31");
  });

  it("prints a text answer, and says if the answer has no body", async () => {
    const { env, received } = await service((response, { url }) => {
      if (url === "/labels") response.setHeader("content-type", "application/xml").end("<label/>");
      else response.writeHead(204).end();
    });
    expect(await msgctl(["labels", "print"], { env })).toMatchObject({ exitCode: 0, stdout: "<label/>\n" });
    expect(received[0]?.headers.accept).toBe("*/*");
    expect(await msgctl(["prices", "set", "--per-unit", "1", "-y"], { env })).toEqual({
      ...{ exitCode: 0, stdout: "", stderr: "Done.\n" },
    });
    expect(await msgctl(["prices", "set", "--per-unit", "1", "-y", "-o", "json", "--quiet"], { env })).toEqual({
      ...{ exitCode: 0, stdout: "null\n", stderr: "" },
    });
  });

  it("says that an answer is a replay", async () => {
    const { env } = await service((response) => reply(response, 200, {}, { "idempotent-replayed": "true" }));
    const ended = await msgctl([...SEND, "--idempotency-key", "k1"], { env });
    expect(ended.stderr).toBe("Already done with this idempotency key; this is the current state.\n");
  });
});

describe("a command that fails", () => {
  it.each([
    [400, 4],
    [401, 3],
    [403, 3],
    [404, 4],
    [408, 4],
    [409, 4],
    [422, 4],
    [429, 7],
    [500, 5],
    [503, 5],
  ])("gets HTTP %i and exits with %i", async (status, exitCode) => {
    const { env } = await service((response) => reply(response, status, problem("depot_shut", status)));
    const ended = await msgctl(SEND, { env });
    expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
  });

  it("describes a refusal: what is wrong, where, what to do, and how to repeat the request", async () => {
    const { env } = await service((response) => {
      const errors = [{ pointer: "/labels/1", code: "too_long", detail: "Too long." }];
      const refused = { ...problem("depot_full", 422), detail: "Not like this: see errors.", errors };
      reply(response, 422, refused, { "x-request-id": "req_1" });
    });
    const ended = await msgctl([...SEND, "--labels", "a", "--labels", "b", "--idempotency-key", "k1"], { env });
    expect(ended).toEqual({
      exitCode: 4,
      stdout: "",
      stderr: [
        "error: Not like this. (depot_full, HTTP 422)",
        "  --labels (value 2): Too long.",
        "hint: Wait, then run `msgctl parcels send north` again; <nobody> knows more.",
        "request id req_1, idempotency key k1",
        "",
      ].join("\n"),
    });
  });

  it.each([
    ["a path at the service", "/pages/depot_full", "/pages/depot_full\n"],
    ["an address", "https://parcels.example/depot_full", "see https://parcels.example/depot_full\n"],
    ["a text with escapes", "x:\u001b[2J", "see x:\\u001b[2J\n"],
  ])("links to the page that explains the problem when its type is %s", async (_, type, end) => {
    const { env } = await service((response) => reply(response, 422, { ...problem("depot_full", 422), type }));
    const { stderr } = await msgctl([...SEND, "--idempotency-key", "k1"], { env });
    const page = type.startsWith("/") ? `see ${env.MSGCTL_BASE_URL}${end}` : end;
    expect(stderr).toContain(`\n${page}request id req_1,`);
  });

  it.each([
    ["https://parcels.example/errors/depot_full", "https://parcels.example/errors/depot_full"],
    ["about:blank", "about:blank"],
    [undefined, null],
    [7, null],
  ])("prints a refusal as one JSON object with -o json, of the type %j", async (given, type) => {
    const { env } = await service((response) => {
      reply(response, 422, { ...problem("depot_full", 422), type: given }, { "x-request-id": "req_1" });
    });
    const ended = await msgctl([...SEND, "--output=json", "--idempotency-key", "k1"], { env });
    expect(ended.stdout).toBe("");
    expect(JSON.parse(ended.stderr)).toEqual({
      code: "depot_full",
      type,
      message: "Not like this.",
      hints: ["Wait, then run `msgctl parcels send north` again; <nobody> knows more."],
      errors: [],
      requestId: "req_1",
      idempotencyKey: "k1",
      status: 422,
      created: null,
      exitCode: 4,
    });
  });

  it("fills in the commands of hints: the flags for the same service, and the name by which the user calls msgctl", async () => {
    const { env } = await service((response) => reply(response, 404, { ...problem("parcel_lost", 404), litres: 3 }));
    const { MSGCTL_BASE_URL = "", ...credential } = env;
    const argv = [...SEND, "--base-url", MSGCTL_BASE_URL, "-o", "json"];
    const ended = await msgctl(argv, { env: { ...credential, npm_command: "exec" } });
    expect(JSON.parse(ended.stderr).hints).toEqual([
      "See `npx msgctl parcels send --help`, then " +
        `\`npx msgctl prices SEND --size 3 <BOX|TUBE> --base-url ${MSGCTL_BASE_URL}\` with the same --idempotency-key.`,
    ]);
  });

  it("reports a reply that is not the service's", async () => {
    const { env } = await service((response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>"));
    const ended = await msgctl(SEND, { env });
    expect([ended.exitCode, ended.stderr]).toEqual([5, expect.stringContaining("unexpected_reply, HTTP 502")]);
  });

  it("exits with 6 if nothing listens at the address", async () => {
    const { env } = await service(() => {});
    const nobody = { ...env, MSGCTL_BASE_URL: "http://127.0.0.1:1" };
    const ended = await msgctl([...SEND, "-o", "json"], { env: nobody });
    expect(ended.exitCode).toBe(6);
    expect(JSON.parse(ended.stderr)).toMatchObject({
      ...{ code: "connection_failed", idempotencyKey: expect.any(String), status: null, exitCode: 6 },
      message: "nothing is listening at http://127.0.0.1:1",
      hints: ["Is a server running at http://127.0.0.1:1? `npm start` starts the demo server."],
    });
  });

  it("exits with 6 if the demo server is not running", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, ".msgd"));
    const credential = { baseUrl: "http://127.0.0.1:1", apiKey: "mkt_test_key", apiSecret: SECRET };
    writeFileSync(join(cwd, ".msgd", "demo-credential.json"), JSON.stringify(credential), { mode: 0o600 });
    const ended = await msgctl(["parcels", "list"], { cwd });
    expect([ended.exitCode, ended.stderr]).toEqual([
      6,
      "error: nothing is listening at http://127.0.0.1:1\n" +
        "hint: The demo server is not running: run `npm start` in this folder, and leave it running.\n",
    ]);
  });

  it("exits with 6 if the connection breaks, and names the key for a safe repetition", async () => {
    const { env } = await service((response) => response.destroy());
    const ended = await msgctl([...SEND, "--idempotency-key", "k1"], { env });
    expect([ended.exitCode, ended.stderr]).toEqual([
      6,
      expect.stringContaining("The request may have succeeded. Repeat it safely with --idempotency-key k1."),
    ]);
  });

  it.each([
    ["never answers", false],
    ["stops in the middle of an answer", true],
  ])("exits with 6 if the service %s", async (_, isBegun) => {
    const { env } = await service((response) => {
      if (isBegun) response.writeHead(200, { "content-type": "application/json" }).write('{"parcelId":');
    });
    const ended = await msgctl([...SEND, "--timeout", "0.2"], { env });
    expect([ended.exitCode, ended.stderr]).toEqual([6, expect.stringContaining("longer than 200 ms")]);
  });

  it("retries with the same key, within --timeout", async () => {
    const { env, received } = await service((response) =>
      received.length < 2
        ? response.writeHead(503, { "retry-after": "0" }).end()
        : reply(response, 200, { parcelId: "p1" }),
    );
    const ended = await msgctl([...SEND, "-o", "json"], { env });
    expect(ended.exitCode).toBe(0);
    expect(new Set(received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(received).toHaveLength(2);
  });

  it("does not wait for a retry beyond --timeout", async () => {
    const { env, received } = await service((response) => response.writeHead(503, { "retry-after": "5" }).end());
    const ended = await msgctl([...SEND, "--timeout", "2"], { env });
    expect([ended.exitCode, received.length]).toEqual([5, 1]);
  });

  it("exits with 130 if it is interrupted, and names the key for a safe repetition", async () => {
    const interruption = new AbortController();
    const { env } = await service(() => interruption.abort());
    const ended = await msgctl([...SEND, "--idempotency-key", "k1"], { env, signal: interruption.signal });
    expect([ended.exitCode, ended.stderr]).toEqual([
      130,
      expect.stringMatching(/interrupted(.|\n)*idempotency key k1/),
    ]);
  });

  it("exits with 9 if values are only missing; it names all of them, and sends nothing", async () => {
    const { env, received } = await service((response) => reply(response, 200, {}));
    const ended = await msgctl(["parcels", "send"], { env });
    expect(ended).toEqual({
      exitCode: 9,
      stdout: "",
      stderr: [
        "error: 3 required values are missing; nothing was sent",
        "  <depot-id>: missing: Depot that takes the parcel.",
        "  --kind: missing: Form of the parcel.",
        "  --phone: missing: Who is called.",
        "hint: Run `msgctl parcels send --help`.",
        "",
      ].join("\n"),
    });
    expect(received).toEqual([]);
  });

  it("exits with 2 if values are wrong; it reports all of them, even global flags, and sends nothing", async () => {
    const { env, received } = await service((response) => reply(response, 200, {}));
    const argv = [
      "parcels",
      "send",
      "NORTH",
      "--phone",
      "12025550100",
      "--base-url",
      "ftp://u:p@host",
      "--timeout",
      "0",
    ];
    const ended = await msgctl([...argv, "--columns", "sttaus", "-o", "json"], { env });
    expect(ended.exitCode).toBe(2);
    const { errors, message } = JSON.parse(ended.stderr);
    expect(message).toBe("6 values are not valid and one required value is missing; nothing was sent");
    expect(errors.map(({ where }: { where: string }) => where)).toEqual([
      ...["--base-url", "--columns", "--columns", "--timeout", "<depot-id>", "--phone", "--kind"],
    ]);
    expect(ended.stderr).not.toContain("u:p");
    expect(received).toEqual([]);
  });

  it.each([
    [
      ["parcels", "send", "north", "--columns", "sttaus"],
      'received "sttaus"; expected names from parcelId, status, size.litres, pin; did you mean status?',
    ],
    [
      ["parcels", "list", "-o", "jsn"],
      '--output: received "jsn"; expected table, json, jsonl, yaml, csv or raw; did you mean json?',
    ],
    [
      ["parcels", "list", "--idempotency-key", "k1"],
      "--idempotency-key: this command changes nothing and takes no key",
    ],
    [["labels", "print", "--columns", "x"], "--columns: the response of this command has no fields to choose from"],
    [["prices", "set", "--per-unit", "1", "--idempotency-key", "ü"], "--idempotency-key: expected 1 to 255"],
    [["prices", "set", "--per-unit", "1", "--idempotency-key", "k "], "without spaces at the ends"],
    [["prices", "set", "--per-unit", "1", "--idempotency-key", " "], "without spaces at the ends"],
    [["parcels", "list", "--limit", "501"], '--limit: received "501"; expected an integer from 1 to 500'],
    [["parcel", "list"], "unknown command 'parcel'; did you mean parcels?"],
    [["parcels", "lst"], "unknown command 'lst'; did you mean list?"],
    [["parcels", "list", "--limmit", "5"], "unknown option '--limmit'; did you mean --limit?"],
    [["parcels", "list", "--limit"], "argument missing"],
    [["parcels", "list", "more"], "too many arguments"],
    [["help", "exit-cods"], 'there is no help for "exit-cods"; did you mean exit-codes?'],
    [["help", "parcels", "lst"], "did you mean list?"],
  ])("exits with 2 for msgctl %j", async (argv, message) => {
    const ended = await msgctl(argv, { env: { MSGCTL_BASE_URL: "http://127.0.0.1:1" } });
    expect([ended.exitCode, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(message);
  });

  it("exits with 2 if the line cannot be parsed, and prints this error as JSON, too", async () => {
    const ended = await msgctl(["parcels", "list", "--limmit", "5", "-ojson"]);
    expect(JSON.parse(ended.stderr)).toMatchObject({
      ...{ code: "usage", exitCode: 2, hints: ["Run `msgctl parcels list --help`."] },
    });
  });

  it("exits with 1 for a bug in msgctl", async () => {
    const broken = {
      index: { contractVersion: "1", groups: [], examples: [] },
      definedGroups: [],
      rootCommands: [],
      ...{ record: fail, definition: fail, commandRun: fail, hint: fail },
    };
    const ended = await msgctl(["labels"], {
      catalog: { ...broken, index: { ...broken.index, groups: [{ name: "labels", description: "", commands: [] }] } },
    });
    expect(ended.exitCode).toBe(0);
    const group = { name: "g", description: "", commands: [{ name: "c", aliases: [], summary: "", operationId: "o" }] };
    const failed = await msgctl(["g", "c"], { catalog: { ...broken, index: { ...broken.index, groups: [group] } } });
    expect([failed.exitCode, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: Broken\.\nhint: This is a bug/),
    ]);
  });
});

async function fail(): Promise<never> {
  throw new Error("Broken.");
}

describe("secrets", () => {
  it("never appear in any output", async () => {
    const answers = [
      [200, { parcelId: 1, pin: SECRET }],
      [401, problem("credentials_invalid", 401)],
      [500, "no problem document"],
    ] as const;
    for (const [status, body] of answers) {
      const { env } = await service((response) => reply(response, status, body));
      for (const format of ["table", "json"]) {
        const { stdout, stderr } = await msgctl([...SEND, "-o", format], { env, cwd: folder() });
        expect(stdout + stderr).not.toContain(SECRET);
        expect(stdout + stderr).not.toBe("");
      }
    }
  });
});

describe("a terminal", () => {
  it("gets headings in bold and tables that fit", async () => {
    const { env } = await service((response) => {
      reply(response, 200, [{ parcelId: 1, status: "A status far too long for this terminal", size: { litres: 3 } }]);
    });
    const { stdout } = await msgctl(["parcels", "list"], { env, terminal: 40 });
    expect(stdout).toBe(
      "\u001b[1mparcelId  status                  litres\u001b[22m\n1         A status far too long…  3\n",
    );
  });

  it.each([40, 80, 200])("of %i columns gets errors wrapped between words", async (terminal) => {
    const { env } = await service((response) => reply(response, 422, problem("depot_full", 422)));
    const { stderr } = await msgctl([...SEND, "--idempotency-key", "k".repeat(30)], {
      ...{ env: { ...env, NO_COLOR: "1" }, terminal },
    });
    for (const line of stderr.split("\n")) expect(line.length).toBeLessThanOrEqual(terminal);
    expect(stderr.replace(/\n {4}/g, " ")).toBe(
      "error: Not like this. (depot_full, HTTP 422)\n" +
        "hint: Wait, then run `msgctl parcels send north` again; <nobody> knows more.\n" +
        `request id req_1, idempotency key ${"k".repeat(30)}\n`,
    );
  });

  it.each([
    ["NO_COLOR", { NO_COLOR: "1" }, []],
    ["--no-color", {}, ["--no-color"]],
    ["a dumb terminal", { TERM: "dumb" }, []],
  ])("gets no colour with %s", async (_, variables, flags) => {
    const { env } = await service((response) => reply(response, 200, [{ parcelId: 1 }]));
    const world = { env: { ...env, ...variables }, terminal: 80 };
    expect((await msgctl(["parcels", "list", ...flags], world)).stdout).toMatch(/^parcelId/);
    expect((await msgctl(["parcels", "lst", ...flags], world)).stderr).toMatch(/^error:/);
    expect((await msgctl(["--help", ...flags], world)).stdout).not.toContain("\u001b");
  });
});
