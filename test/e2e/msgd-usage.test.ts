// If the built msgd cannot run a command, it prints a message on stderr only, and exits with the documented code.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { hints } from "../../packages/cli/src/generated/hints.ts";

const msgd = fileURLToPath(new URL("../../bin/msgd", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "msgd-usage-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): Promise<{ exitCode: unknown; stdout: string; stderr: string }> {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("MSGD_"));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [msgd, ...args],
      { cwd: folder, env: Object.fromEntries(environment) },
      (error, stdout, stderr) => resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

describe("a wrong command line", () => {
  it.each([
    [["serv"], /^msgd: unknown command 'serv'\n\(Did you mean serve\?\)/],
    [["serve", "--prot", "1"], /^msgd: unknown option '--prot'\n\(Did you mean --port\?\)/],
    [["serve", "--port", "x", "--log-level", "loud"], /^msgd: --port .*received "x"\nmsgd: --log-level .*"loud"\n$/],
    [["serve", "--dev", "--host", "0.0.0.0"], /^msgd: --dev: .*loopback only/],
    [["tenants", "create"], /^msgd: missing required argument 'name'\nRun msgd --help/],
    [["tenants", "create", "Acme", "--timezone", "Foo/Bar"], /^msgd: --timezone: .*received "Foo\/Bar"\n$/],
    [["tenants", "create", "Acme", "-o", "yaml"], /'yaml' is invalid. Allowed choices are text, json/],
    [["keys", "create"], /^msgd: required option '--tenant <id>' not specified/],
    [["keys", "create", "--tenant", "x"], /^msgd: --tenant: .*received "x"/],
    [[], /^Usage: msgd /],
  ])("is refused: %j", async (args, words) => {
    expect(await run(...args)).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringMatching(words) });
  });
});

describe("msgd serve", () => {
  it("reports that its port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const stderr = expect.stringMatching(`^msgd: port ${port} of 127.0.0.1 is taken: stop what listens there`);
    expect(await run("serve", "--port", port)).toEqual({ exitCode: 1, stdout: "", stderr });
    await new Promise((resolve) => other.close(resolve));
  });
});

describe("a valid command line", () => {
  const hinted = Object.values(hints).flatMap((hint) =>
    [...hint.matchAll(/`msgd ([^`]+)`/g)].map(([, line = ""]) => line),
  );

  it("occurs in the hints of the contract", () => expect(hinted).not.toEqual([]));

  it.each(hinted)("is run: msgd %s, from a hint of the contract", async (line) => {
    await run("tenants", "create", "Acme");
    expect(await run(...line.replace("<tenantId>", "1").split(" "))).toMatchObject({ exitCode: 0 });
  });

  it.each([[["--help"]], [["serve", "--help"]], [["help", "keys"]], [["--version"]]])(
    "prints its help or version: %j",
    async (args) => {
      const { exitCode, stdout, stderr } = await run(...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(/^(Usage: msgd|\d+\.\d+\.\d+\n$)/);
    },
  );
});

it.each([
  ["a command", ["tenants", "create", "Acme", "--test", "--data", folder], 0],
  ["a server", ["serve", "--port", "0", "--data", folder], 0],
] as const)("%s whose output nobody reads reports no error, and exits as usual", async (_what, args, code) => {
  const child = spawn(process.execPath, [msgd, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let written = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    written += text;
  });
  const exit = once(child, "exit");
  if (args[0] === "serve") {
    // wait until the server runs: by then it has tried to write its address to the closed stream
    await expect.poll(() => existsSync(join(folder, "address"))).toBe(true);
    child.kill("SIGTERM");
  }
  expect([await exit, written]).toEqual([[code, null], ""]);
});
