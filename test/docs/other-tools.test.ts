// Runs the commands of docs/other-tools.md for tools that are dependencies of this project, in the versions that it names.
// contract-peers.test.ts and contract-clients.test.ts in test/packages test generators of clients.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { documentFile } from "../../packages/contract/test/document.ts";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { blocksOf } from "./markdown.ts";
import { commandOf, type ToolCommand, toolCommands, toolPage } from "./tool-commands.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
/** Versions of the tools that other suites fetch, by name. */
const fetchedTools: Readonly<Record<string, string>> = Object.assign(
  {},
  ...["contract-peers", "contract-clients"].map(
    (folder) => JSON.parse(readFileSync(join(root, "test/packages", folder, "package.json"), "utf8")).dependencies,
  ),
);

const folder = new MsgdFolder();
const cwd = folder.parent;
let baseUrl: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  ({ baseUrl } = await folder.shareDemo());
  copyFileSync(documentFile, join(cwd, "openapi.yaml"));
  const [, ruleset = ""] = /`spectral\.yaml` is one line, `([^`]+)`/.exec(toolPage) ?? [];
  writeFileSync(join(cwd, "spectral.yaml"), ruleset);
  symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"), "junction");
});
afterAll(async () => {
  for (const child of running.filter(({ exitCode }) => exitCode === null)) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  await folder.remove();
});

/** Path of the program that `npx` would run for a package. */
function programOf(name: string): string {
  const { bin } = readPackage(name);
  return join(root, "node_modules", name, typeof bin === "string" ? bin : String(Object.values(bin)[0]));
}

function readPackage(name: string): { version: string; bin: string | Record<string, string> } {
  return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
}

/** Starts Prism on a free port, in front of the demo server if it proxies. Returns its address once it answers. */
async function start({ args }: ToolCommand): Promise<string> {
  const port = String(await findFreePort());
  const own = args.map((word, index) => {
    if (args[index - 1] === "--port") return port;
    return word === "http://127.0.0.1:4800" ? baseUrl : word;
  });
  running.push(spawn(process.execPath, [programOf("@stoplight/prism-cli"), ...own], { cwd, stdio: "ignore" }));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(url), { timeout: 60_000, interval: 250 });
  return url;
}

const send = (url: string, body: object, headers: Record<string, string> = {}) => {
  const { apiKey, apiSecret } = folder.demoCredential;
  const own = { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret, ...headers };
  return fetch(`${url}/api/v1/messages/sms`, { method: "POST", headers: own, body: JSON.stringify(body) });
};
const sms = { merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" };

it("the page names each tool in the version that is tested", () => {
  const here = toolCommands.filter(({ name }) => fetchedTools[name] === undefined && name !== "specmatic");
  expect(here.map(({ name }) => [name, readPackage(name).version])).toEqual(
    here.map(({ name, version }) => [name, version]),
  );
  const fetched = toolCommands.filter(({ name }) => fetchedTools[name] !== undefined);
  expect(fetched.map(({ name, version }) => [name, version])).toEqual(
    fetched.map(({ name }) => [name, fetchedTools[name]]),
  );
  expect(new Set(fetched.map(({ name }) => name)).size).toBe(9);
});

it.each(["@redocly/cli", "@stoplight/spectral-cli"])("%s finds no fault in the contract", async (name) => {
  const ended = run(process.execPath, [programOf(name), ...commandOf(name).args], { cwd, timeout: 100_000 });
  await expect(ended.then(() => "nothing")).resolves.toBe("nothing");
});

it("openapi-typescript generates types with which the page's program compiles", async () => {
  mkdirSync(join(cwd, "client"), { recursive: true });
  await run(process.execPath, [programOf("openapi-typescript"), ...commandOf("openapi-typescript").args], { cwd });
  const [program] = blocksOf(toolPage).filter(({ language }) => language === "ts");
  writeFileSync(join(cwd, "program.mts"), program?.text ?? "");
  writeFileSync(join(cwd, "wrong.mts"), program?.text.replace("message:", "messages:") ?? "");
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--skipLibCheck"];
  const flags = ["--module", "nodenext", "--target", "es2022", "--types", "node"];
  const { stdout: faults } = await run(process.execPath, [...tsc, ...flags, "program.mts", "wrong.mts"], { cwd }).catch(
    (failure: { stdout: string }) => failure,
  );
  expect([...faults.matchAll(/^(\S+)\(\d+,/gm)].map(([, file]) => file)).toEqual(["wrong.mts"]);
  const { apiKey, apiSecret } = folder.demoCredential;
  const env = { ...process.env, MSGCTL_BASE_URL: baseUrl, MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret };
  const tsx = new URL("../../node_modules/tsx/dist/loader.mjs", import.meta.url).href;
  const { stdout } = await run(process.execPath, ["--import", tsx, "program.mts"], { cwd, env });
  expect(stdout).toBe("QUEUED\n");
});

it("Prism answers with examples, and with the problem that a request prefers", async () => {
  const url = await start(commandOf("@stoplight/prism-cli"));
  expect(await (await send(url, sms)).json()).toMatchObject({ status: "QUEUED" });
  const [, prefer = ""] = /`Prefer: ([^`]+)`/.exec(toolPage) ?? [];
  const refused = await send(url, sms, { prefer });
  expect([refused.status, await refused.json()]).toEqual([402, expect.objectContaining({ code: "quota_exceeded" })]);
});

it("Prism proxies a server, and refuses requests that break the contract", async () => {
  const [, proxy] = toolCommands.filter(({ name }) => name === "@stoplight/prism-cli");
  if (proxy === undefined) throw new Error("the page has no proxy");
  const url = await start(proxy);
  expect(await (await send(url, sms)).json()).toMatchObject({ status: "QUEUED", merchantId: "demo" });
  const refused = await send(url, { ...sms, type: 7 });
  expect(await refused.json()).toMatchObject({ type: expect.stringContaining("stoplight.io/prism/errors") });
});
