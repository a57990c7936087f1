// Plans and applies a registration file with the built msgctl and a real msgd, and kills and resumes msgctl in between.

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, msgctlPath, runMsgctl } from "./msgctl-process.ts";
import { MsgdFolder, type SharedServer } from "./msgd-process.ts";

const example = readFileSync(fileURLToPath(new URL("../../examples/registration.yaml", import.meta.url)), "utf8");
const folder = new MsgdFolder();
let server: SharedServer;
let gate: Gate;

beforeAll(async () => {
  server = await folder.shareDemo();
  gate = await Gate.start(() => server.baseUrl);
});
afterAll(async () => {
  await gate.close();
  await folder.remove();
});

/** Kill `child` at its write number `write`, while the server handles that request. */
interface Kill {
  child: ChildProcess;
  write: number;
  /** Called when the server has answered the request. */
  onAnswer: (status: number | undefined) => void;
}

/** A proxy between msgctl and the server that counts writes, and kills msgctl at one of them. */
class Gate {
  writes = 0;
  killAt: Kill | undefined;
  readonly #server: Server;

  private constructor(baseUrl: () => string) {
    this.#server = createServer((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      if (method === "POST") this.writes += 1;
      const killed = this.killAt?.write === this.writes && method === "POST" ? this.killAt : undefined;
      const forwarded = request(new URL(url ?? "", baseUrl()), { method, headers }, (answer) => {
        if (killed !== undefined) {
          killed.onAnswer(answer.statusCode);
          answer.resume();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(forwarded);
      if (killed !== undefined) forwarded.on("finish", () => killed.child.kill("SIGKILL"));
    });
  }

  static async start(baseUrl: () => string): Promise<Gate> {
    const gate = new Gate(baseUrl);
    await new Promise<void>((resolve) => gate.#server.listen(0, "127.0.0.1", resolve));
    return gate;
  }

  get env(): Record<string, string> {
    const { apiKey, apiSecret } = folder.demoCredential;
    const { port } = this.#server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}`;
    return { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: baseUrl };
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

let merchants = 0;

interface Own {
  merchantId: string;
  /** The registration file: the example's, with two numbers that only this test uses. */
  file: string;
  numbers: [string, string];
}

/** Creates a merchant for one test. */
async function createMerchant(): Promise<Own> {
  merchants += 1;
  const merchantId = `m${merchants}`;
  const upsert = ["merchants", "upsert", "--merchant-id", merchantId, "--display-name", merchantId];
  expect(await runMsgctl(upsert, { cwd: folder.parent })).toMatchObject({ exitCode: 0 });
  const numbers: Own["numbers"] = [`+1214400${1000 + merchants}`, `+1214500${1000 + merchants}`];
  const own = { merchantId, file: `${merchantId}.yaml`, numbers };
  rewrite(own, (text) => text);
  return own;
}

/** Writes the merchant's file again: the example's text after `change`. */
function rewrite({ merchantId, file, numbers: [first, second] }: Own, change: (text: string) => string): void {
  const text = example
    .replace("merchantId: demo", `merchantId: ${merchantId}`)
    .replaceAll("bright-campaign-1", `${merchantId}-campaign`)
    .replace("phoneNumber: +12025550142", `phoneNumber: ${first}`)
    .replace("phoneNumber: +12025550143", `phoneNumber: ${second}`);
  const changed = change(text);
  writeFileSync(join(folder.parent, file), changed);
}

const apply = ({ file }: Own, ...flags: string[]) =>
  runMsgctl(["registration", "apply", file, ...flags], { cwd: folder.parent, env: gate.env });

type View = Record<string, unknown>;

interface Status {
  readyToSend: boolean;
  brands: View[];
  campaigns: View[];
  numbers: View[];
}

async function statusOf({ merchantId }: Own): Promise<Status> {
  const { stdout } = await runMsgctl(["registration", "status", merchantId, "-o", "json"], { cwd: folder.parent });
  return JSON.parse(stdout) as Status;
}

/** Number of writes that `work` makes. */
async function writesOf<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const before = gate.writes;
  const result = await work();
  return [result, gate.writes - before];
}

async function expectEachOnce(own: Own): Promise<Status> {
  const status = await statusOf(own);
  const [campaign] = status.campaigns;
  expect([status.brands.length, status.campaigns.length]).toEqual([1, 1]);
  expect(campaign).toMatchObject({ campaignReference: `${own.merchantId}-campaign`, brandId: status.brands[0]?.id });
  expect(status.numbers.map(({ phoneNumber }) => phoneNumber).sort()).toEqual([...own.numbers].sort());
  for (const number of status.numbers) expect(number.campaignId).toBe(campaign?.id);
  return status;
}

async function control(path: "clock" | "faults", what: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.baseUrl}/control/${path}`, {
    ...{ method: "POST", headers, body: JSON.stringify(what) },
  });
  expect(response.ok).toBe(true);
}

/** Starts the command. The gate kills it. */
async function applyKilled({ file }: Own, kill: Omit<Kill, "child">) {
  const child = spawn(process.execPath, [msgctlPath, "registration", "apply", file, "-y"], {
    cwd: folder.parent,
    env: { ...cleanEnvironment(folder.parent), ...gate.env },
    stdio: "ignore",
  });
  gate.killAt = { ...kill, write: gate.writes + kill.write, child };
  const ended = await new Promise((resolve) => child.once("close", (_exitCode, signal) => resolve(signal)));
  gate.killAt = undefined;
  expect(ended).toBe("SIGKILL");
}

describe("msgctl registration apply", () => {
  it("applies a whole file, then nothing, then the one field that changed", async () => {
    const own = await createMerchant();
    const [planned, none] = await writesOf(() => apply(own, "--dry-run"));
    expect([planned.exitCode, planned.stderr, none]).toEqual([0, "Nothing was sent.\n", 0]);
    expect(planned.stdout).toContain("6 to create.");
    const [first, six] = await writesOf(() => apply(own, "-y"));
    expect([first.exitCode, six]).toEqual([0, 6]);
    expect(first.stderr).toContain(`BRAND_PENDING. Run \`msgctl registration wait ${own.merchantId}\``);
    const before = await expectEachOnce(own);

    const [again, nothing] = await writesOf(() => apply(own));
    expect([again.exitCode, nothing]).toEqual([0, 0]);
    expect(again.stderr).toContain("Nothing to do: the registration matches the file.");
    expect(await statusOf(own)).toEqual(before);

    rewrite(own, (text) => text.replace("city: Washington", "city: Georgetown"));
    const [changed, one] = await writesOf(() => apply(own, "-y"));
    expect([changed.exitCode, one]).toEqual([0, 1]);
    expect(changed.stderr).toContain("    city  Washington → Georgetown\n");
    expect((await expectEachOnce(own)).brands[0]).toMatchObject({ city: "Georgetown", status: "PENDING" });

    // sets a field back to an earlier value, although the service has already seen a key for that value
    rewrite(own, (text) => text);
    for (const city of ["Washington", "Georgetown", "Washington"]) {
      rewrite(own, (text) => text.replace("city: Washington", `city: ${city}`));
      expect((await apply(own, "-y")).exitCode).toBe(0);
      expect((await statusOf(own)).brands[0]).toMatchObject({ city });
    }
  });

  it("changes no review, whether the review has ended or not", async () => {
    const own = await createMerchant();
    expect((await apply(own, "-y")).exitCode).toBe(0);
    await control("clock", { advance: "45m" });
    rewrite(own, (text) => text.replace("vertical: HEALTHCARE", "vertical: DENTAL").replace("DC\n", "VA\n"));
    expect((await apply(own, "-y")).exitCode).toBe(0);
    const { brands } = await statusOf(own);
    expect(brands[0]).toMatchObject({ state: "VA", status: "IN_REVIEW" });
    await control("clock", { advance: "4d" });
    rewrite(own, (text) => text);
    const { exitCode, stderr, stdout } = await apply(own, "-y", "-o", "json");
    expect([exitCode, stderr, JSON.parse(stdout)]).toEqual([
      ...[0, "The merchant is ready to send.\n"],
      expect.objectContaining({ readyToSend: true, blockingReason: null, changes: 2 }),
    ]);
    const { brands: approved, campaigns, numbers } = await expectEachOnce(own);
    expect(approved[0]).toMatchObject({ state: "DC", status: "APPROVED" });
    expect([campaigns[0]?.status, ...numbers.map(({ assignmentStatus }) => assignmentStatus)]).toEqual([
      ...["ACTIVE", "ASSIGNED", "ASSIGNED"],
    ]);
    expect((await writesOf(() => apply(own)))[1]).toBe(0);
  });

  it("performs a write once even if msgctl is killed while the service handles it", async () => {
    const own = await createMerchant();
    await control("faults", { operation: "registerCampaign", latencyMs: 1500 });
    let onAnswer: (status: number | undefined) => void = () => {};
    const answered = new Promise<number | undefined>((resolve) => {
      onAnswer = resolve;
    });
    await applyKilled(own, { write: 2, onAnswer });
    expect((await apply(own, "-y")).exitCode).toBe(0);
    expect(await answered).toBe(200);
    await expectEachOnce(own);
    expect((await writesOf(() => apply(own)))[1]).toBe(0);
  });
});
