// `npm run conformance` against a real msgd, which keeps the contract, and against one whose replies are changed on the
// way: each change is found.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleProvisioning } from "../../packages/server/src/provisioning-example.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { type Conformance, checkConformance } from "./checks.ts";
import { type Change, type ChangeableReply, startFaultyProxy } from "./tool/faulty-proxy.ts";
import { createHttpSend } from "./tool/http-send.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tsx = join(root, "node_modules/tsx/dist/cli.mjs");

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
function conformance(args: readonly string[], { apiKey, apiSecret }: Partial<Credential> = credential): Promise<Ended> {
  const { PATH } = process.env;
  const env = { PATH, ...(apiKey && { MSGCTL_API_KEY: apiKey }), ...(apiSecret && { MSGCTL_API_SECRET: apiSecret }) };
  return new Promise((resolve) => {
    const command = [tsx, "test/conformance/tool/main.ts", ...args];
    execFile(process.execPath, command, { cwd: root, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** As the tool does, in this process. */
function check(url: string, operationId: OperationId, as: Credential = credential): Promise<Conformance> {
  const bounds = { requestTimeoutMs: 10_000, deadlineMs: 20_000, maxRequests: 500 };
  const send = createHttpSend(new URL(url), as, bounds);
  return checkConformance(send, { credential: as, prefix: `${new URL(url).port}-`, newNumber, ownsDefault: false }, [
    operationId,
  ]);
}

let numbers = 0;
function newNumber(): string {
  numbers += 1;
  return `+1202555${4_000 + numbers}`;
}

describe("a server that keeps the contract", () => {
  it("has no violation, and every operation succeeds", async () => {
    const { code, stdout } = await conformance(["--base-url", server.baseUrl, "-o", "json"]);
    const { violations, outcomes } = JSON.parse(stdout) as Conformance;
    expect([code, violations]).toEqual([0, []]);
    const succeeded = outcomes.filter((outcome) => outcome.code === null && outcome.result === "reached");
    expect(succeeded.map(({ operationId }) => operationId)).toEqual(Object.keys(operations));
    const documented = Object.values(operations).reduce(
      (sum, { errors }) => sum + Object.values(errors).flat().length,
      0,
    );
    expect(outcomes.length).toBe(documented + succeeded.length);
  });

  it("is shown as a table, of what was asked for", async () => {
    const { code, stdout, stderr } = await conformance(["--base-url", server.baseUrl, "--only", "merchants"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^OPERATION +200 +400 +401 +403 /);
    expect(stdout.match(/^(upsertMerchant|listMerchants|getMerchant) .*ok/gm)).toHaveLength(3);
    expect(stdout).not.toContain("sendSms");
    expect(stdout).toMatch(/^no violations; \d+ of \d+ documented replies reached/m);
    expect(stderr).toMatch(/writes to http:.*merchants named conformance-\w{8}-/);
    expect(stdout + stderr).not.toContain(credential.apiSecret);
  });
});

it("waits where the rate of requests is limited, and holds that reply too against the contract", async () => {
  const limited = new MsgdFolder();
  try {
    const credential = limited.createTenant();
    const { baseUrl } = await limited.serve("--rate-limit", "50:20");
    const { violations, outcomes } = await check(baseUrl, "listMerchants", credential);
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

describe("what cannot be checked", () => {
  it("is refused with the credential", async () => {
    const { code, stderr } = await conformance(["--base-url", server.baseUrl], { ...credential, apiSecret: "mks_no" });
    expect([code, stderr]).toEqual([3, expect.stringContaining("credentials_invalid")]);
  });

  it("is said to give no reply", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { code, stderr, stdout } = await conformance(["--base-url", `http://127.0.0.1:${port}`]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("ECONNREFUSED")]);
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
