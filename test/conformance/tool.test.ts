// `npm run conformance` against a real msgd, which keeps the contract, and against one whose replies are changed on the
// way: each change is found.

import { type ChildProcess, execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Conformance, checkConformance } from "../../packages/conformance/src/check-conformance.ts";
import { createHttpSend } from "../../packages/conformance/src/program/http-send.ts";
import type { OtherCredentials } from "../../packages/conformance/src/target/target.ts";
import { exampleProvisioning } from "../../packages/server/src/provisioning-example.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { type Change, type ChangeableReply, startFaultyProxy } from "./faulty-proxy.ts";
import { createOthers } from "./other-credentials.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

let folder: MsgdFolder;
let server: MsgdProcess;
let credential: Credential;

beforeAll(async () => {
  folder = new MsgdFolder();
  server = await folder.serveDemo();
  credential = folder.demoCredential;
  const file = join(folder.parent, "provisioning.json");
  writeFileSync(file, JSON.stringify(exampleProvisioning(Number(credential.tenantId))));
  folder.command("provisioning", "import", file, "--tenant", credential.tenantId);
});
afterAll(() => folder.remove());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the tool as `npm run conformance` does. */
function conformance(
  args: readonly string[],
  own: Partial<Credential> = credential,
  others: OtherCredentials = {},
  started: (tool: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const env = { PATH: process.env.PATH, ...variables("MSGCTL", own) };
  for (const [name, other] of Object.entries(others)) {
    Object.assign(env, variables(`MSGCTL_${name.toUpperCase()}`, other));
  }
  return new Promise((resolve) => {
    const command = ["--import", "tsx", "packages/conformance/src/main.ts", ...args];
    const tool = execFile(process.execPath, command, { cwd: root, env, timeout: 100_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    started(tool);
  });
}

function variables(prefix: string, { apiKey, apiSecret }: Partial<Credential>): NodeJS.ProcessEnv {
  return {
    ...(apiKey && { [`${prefix}_API_KEY`]: apiKey }),
    ...(apiSecret && { [`${prefix}_API_SECRET`]: apiSecret }),
  };
}

/** As the tool does, in this process. */
function check(
  url: string,
  operationId: OperationId,
  { as = credential, maxRequests = 500 } = {},
): Promise<Conformance> {
  const send = createHttpSend(new URL(url), as, { requestTimeoutMs: 10_000, deadlineMs: 20_000, maxRequests });
  const prefix = `${new URL(url).port}-`;
  return checkConformance(send, { credential: as, others: {}, prefix, newNumber }, [operationId]);
}

/** Runs it with a server of this kind, on a port of its own. Headers too long for msgd come to the listener like others. */
async function withServer<Result>(listener: RequestListener, run: (url: string) => Promise<Result>): Promise<Result> {
  const server = createServer({ maxHeaderSize: 65_536 }, listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

let numbers = 0;
function newNumber(): string {
  numbers += 1;
  return `+1202555${4_000 + numbers}`;
}

describe("a server that keeps the contract", () => {
  it("has no violation, and every operation succeeds", async () => {
    const others = createOthers(folder);
    const { code, stdout } = await conformance(["--base-url", server.baseUrl, "-o", "json"], credential, others);
    const { violations, outcomes, promises, ended } = JSON.parse(stdout) as Conformance;
    expect([code, violations, ended]).toEqual([0, [], null]);
    expect(promises.filter(({ result }) => result !== "kept")).toEqual([]);
    expect(new Set(promises.map(({ operationId }) => operationId)).size).toBe(Object.keys(operations).length);
    const succeeded = outcomes.filter((outcome) => outcome.code === null && outcome.result === "reached");
    expect(succeeded.map(({ operationId }) => operationId)).toEqual(Object.keys(operations));
    const documented = Object.values(operations).reduce(
      (sum, { errors }) => sum + Object.values(errors).flat().length,
      0,
    );
    expect(outcomes.length).toBe(documented + succeeded.length);
    const unreached = outcomes.filter(({ result }) => result !== "reached").map((outcome) => outcome.code);
    expect([...new Set(unreached)].sort()).toEqual([
      ...["idempotency_in_progress", "internal_error", "malformed_http", "outcome_unknown"],
      ...["rate_limited", "registration_limit", "request_timeout", "unavailable"],
    ]);
  });

  it("is shown as a table, of what was asked for", async () => {
    const { code, stdout, stderr } = await conformance(["--base-url", server.baseUrl, "--only", "merchants"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^OPERATION +2xx +400 +401 +403 /);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^[\n -~]*$/);
    expect(stdout.match(/^(upsertMerchant|listMerchants|getMerchant) +ok {2}ok /gm)).toHaveLength(3);
    expect(stdout).not.toContain("sendSms");
    expect(stdout).toMatch(
      /^no violations; \d+ of \d+ documented replies reached; \d+ of \d+ promises kept; \d+\s+requests$/m,
    );
    expect(stderr).toMatch(/writes to http:.*merchants named conformance-\w{8}-/);
    expect(stdout + stderr).not.toContain(credential.apiSecret);
  });
});

it("waits where the rate of requests is limited, and holds that reply too against the contract", async () => {
  const limited = new MsgdFolder();
  try {
    const credential = limited.createTenant();
    const { baseUrl } = await limited.serve("--rate-limit", "50:20");
    const { violations, outcomes } = await check(baseUrl, "listMerchants", { as: credential });
    expect(violations).toEqual([]);
    const reached = outcomes.filter(({ result }) => result === "reached").map(({ code }) => code);
    expect(reached).toEqual(
      expect.arrayContaining([null, "validation_error", "credentials_invalid", "not_acceptable"]),
    );
  } finally {
    await limited.remove();
  }
});

const merchantPath = /^\/api\/v1\/merchants\/[^/]+$/;
const isMerchant = (path: string) => merchantPath.test(path);
function changeView(reply: ChangeableReply, change: (view: Record<string, unknown>) => void): void {
  const view = JSON.parse(reply.body);
  change(view);
  reply.body = JSON.stringify(view);
}

const faults: [title: string, operationId: OperationId, fault: string, change: Change][] = [
  [
    "a missing field",
    "getMerchant",
    "MerchantView must have required property 'usage'",
    (reply, { path }) => {
      if (isMerchant(path) && reply.status === 200) changeView(reply, (view) => delete view.usage);
    },
  ],
  [
    "a wrong type",
    "getMerchant",
    "MerchantView/active must be boolean",
    (reply, { path }) => {
      if (isMerchant(path) && reply.status === 200) {
        changeView(reply, (view) => {
          view.active = "yes";
        });
      }
    },
  ],
  [
    "a wrong status",
    "getMerchant",
    "getMerchant answered 201",
    (reply, { path }) => {
      if (isMerchant(path) && reply.status === 200) reply.status = 201;
    },
  ],
  [
    "a wrong content type",
    "listMerchants",
    "expected application/json, came as text/html",
    (reply, { method, path }) => {
      if (method === "GET" && path === "/api/v1/merchants" && reply.status === 200) {
        reply.headers["content-type"] = "text/html";
      }
    },
  ],
  [
    "a code that the operation does not document",
    "getMerchant",
    "getMerchant does not document 404 brand_not_found",
    (reply, { path }) => {
      if (isMerchant(path) && reply.status === 404) {
        changeView(reply, (problem) => {
          problem.code = "brand_not_found";
        });
      }
    },
  ],
  [
    "a documented reply to the wrong request",
    "getMerchant",
    "expected 404 merchant_not_found, answered 404 route_not_found",
    (reply, { path }) => {
      if (isMerchant(path) && reply.status === 404) {
        changeView(reply, (problem) => {
          problem.code = "route_not_found";
        });
      }
    },
  ],
  [
    "a fault of its own at a request that is right",
    "getMerchant",
    "expected 200, answered 500 internal_error",
    (reply, { path }) => {
      if (!isMerchant(path) || reply.status !== 200) return;
      const problem = { type: "https://example.test/errors/internal_error", title: "Fault", code: "internal_error" };
      reply.status = 500;
      reply.headers["content-type"] = "application/problem+json";
      reply.body = JSON.stringify({
        ...problem,
        status: 500,
        detail: "It failed.",
        instance: path,
        requestId: "req_1",
      });
    },
  ],
  [
    "a body that is not JSON",
    "listMerchants",
    "it is not JSON",
    (reply, { method, path }) => {
      if (method === "GET" && path === "/api/v1/merchants" && reply.status === 200) reply.body = "<p>Hello";
    },
  ],
];

describe("a server that does not", () => {
  it.each(faults)("is found to have %s", async (_title, operationId, fault, change) => {
    const proxy = await startFaultyProxy(server.baseUrl, change);
    try {
      const { violations } = await check(proxy.url, operationId);
      const faults = violations.map((violation) => `${violation.operationId}: ${violation.fault}`);
      expect(faults).toContain(`${operationId}: ${fault}`);
      const found = violations.find((violation) => violation.fault === fault);
      expect(found?.request).toMatch(/^GET \/api\/v1\/merchants/);
      expect(found?.allowed).not.toBe("");
    } finally {
      proxy.close();
    }
  });

  it("is shown with the request, what was received and what is allowed", async () => {
    const [, , , change = () => undefined] = faults[1] ?? [];
    const proxy = await startFaultyProxy(server.baseUrl, change);
    const { code, stdout } = await conformance(["--base-url", proxy.url, "--only", "getMerchant"]);
    proxy.close();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^getMerchant +BAD/m);
    expect(stdout).toMatch(
      /^VIOLATION getMerchant: .*boolean.*\n {2}request {3}GET .*\n {2}received {2}200 \{.*\n {2}allowed {3}200 MerchantView as/m,
    );
  });
});

describe("a run that is not finished", () => {
  it("tells what it found before its bound", async () => {
    const { outcomes, ended, violations } = await check(server.baseUrl, "listMerchants", { maxRequests: 13 });
    expect([ended, violations]).toEqual(["ended after 13 requests, its bound", []]);
    const results = outcomes.map(({ result }) => result);
    expect(new Set(results)).toEqual(new Set(["reached", "not reachable", "not asked"]));
    expect(results.indexOf("not asked")).toBeGreaterThan(results.lastIndexOf("reached"));
  });

  it("tells it after Ctrl-C too", async () => {
    let tool: ChildProcess | undefined;
    let requests = 0;
    const listener: RequestListener = (_request, response) => {
      requests += 1;
      if (requests === 1) response.setHeader("content-type", "application/json").end("[]");
      else tool?.kill("SIGINT");
    };
    const { code, stdout } = await withServer(listener, (url) =>
      conformance(["--base-url", url, "--only", "alerts"], credential, {}, (started) => {
        tool = started;
      }),
    );
    expect([code, stdout]).toEqual([130, expect.stringMatching(/^listAlerts +\?.*not finished: interrupted\n$/ms)]);
  });

  it("goes on where one operation stays silent, after two tries", async () => {
    let silences = 0;
    const { violations, outcomes, ended } = await withServer(
      (request, response) => {
        if (request.url?.startsWith("/api/v1/alerts")) {
          silences += 1;
          request.destroy();
        } else response.writeHead(418).end();
      },
      (url) => check(url, "listAlerts"),
    );
    expect([silences, ended]).toEqual([2, null]);
    expect(violations).toContainEqual(
      expect.objectContaining({ operationId: "listAlerts", fault: "no reply", times: 2 }),
    );
    expect(outcomes.filter(({ result }) => result === "violation")).toHaveLength(2);
    expect(outcomes.filter(({ result }) => result === "not asked").length).toBeGreaterThan(2);
  });
});

describe("what cannot be checked", () => {
  it("is refused with the credential", async () => {
    const { code, stderr } = await conformance(["--base-url", server.baseUrl], { ...credential, apiSecret: "mks_no" });
    expect([code, stderr]).toEqual([3, expect.stringContaining("credentials_invalid")]);
  });

  it("is refused with a spare credential of the same tenant, before anything is written", async () => {
    const { code, stderr } = await conformance(["--base-url", server.baseUrl], credential, { spare: credential });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/MSGCTL_SPARE_API_KEY has to be of a second tenant/)]);
    expect(stderr).not.toContain("writes to");
  });

  it("is refused with half a credential", async () => {
    const { code, stderr } = await conformance(["--base-url", server.baseUrl], { apiKey: credential.apiKey });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/MSGCTL_API_SECRET go together/)]);
  });

  it("is said to give no reply", async () => {
    const url = await withServer(
      () => undefined,
      async (url) => url,
    );
    const { code, stderr, stdout } = await conformance(["--base-url", url]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/ECONNREFUSED. Is the server running/)]);
  });

  it.each<[string, RequestListener, RegExp]>([
    ["hangs up", (request) => request.destroy(), /no reply that can be read: ECONNRESET/],
    [
      "answers with a page",
      (_request, response) => response.setHeader("content-type", "text/html").end("<p>Hello"),
      /no server of this contract at .* answered 200 \(text\/html\)/,
    ],
    [
      "has nothing at this path",
      (_request, response) => response.writeHead(404, { "content-type": "application/json" }).end("{}"),
      /no server of this contract at .* answered 404 \{\}/,
    ],
    [
      "sends without end",
      (_request, response) => {
        const part = Buffer.alloc(1 << 20, " ");
        const more = () => {
          while (response.write(part));
        };
        response.on("drain", more);
        more();
      },
      /more than 33554432 bytes/,
    ],
    [
      "refuses everything for its rate",
      (_request, response) => {
        const problem = { type: "https://example.test/errors/rate_limited", title: "Too many", code: "rate_limited" };
        response.writeHead(429, {
          "content-type": "application/problem+json",
          "retry-after": "0",
          "x-request-id": "r",
        });
        response.end(JSON.stringify({ ...problem, status: 429, detail: "Wait.", instance: "/", requestId: "req_1" }));
      },
      /nothing was found out: every request was refused for its rate/,
    ],
  ])("is a server that %s", async (_title, listener, words) => {
    const { code, stderr } = await withServer(listener, (url) => conformance(["--base-url", url, "--only", "alerts"]));
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  it.each<[string, string[], RegExp]>([
    ["another machine without -y", ["--base-url", "http://192.0.2.1"], /not on this machine.*-y/],
    ["an operation that is not there", ["--only", "nobody"], /operationId or a tag .*received nobody/],
    ["an output that is not there", ["-o", "xml"], /table or json, received xml/],
    ["a flag that is not there", ["--fast"], /--fast/],
  ])("%s is refused", async (_title, args, words) => {
    const { code, stderr } = await conformance(["--base-url", server.baseUrl, ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});
