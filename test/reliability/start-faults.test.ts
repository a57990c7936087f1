// If a data folder cannot be served, the server says why, exits with 1 and changes nothing. Once the cause is gone, it serves.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";

const msgd = fileURLToPath(new URL("../../bin/msgd", import.meta.url));
/** A folder that was served and stopped gracefully. Each test uses a copy of it. */
const sound = new MsgdFolder();
let folder: MsgdFolder;
let credential: Credential;

beforeAll(async () => {
  credential = sound.createTenant();
  const server = await sound.serve();
  await addMerchants(server, 200);
  expect(await server.end("SIGTERM")).toBe(0);
});
beforeEach(() => {
  folder = new MsgdFolder();
  cpSync(sound.path, folder.path, { recursive: true });
});
afterEach(() => folder.remove());
afterAll(() => sound.remove());

const headers = () => ({
  "content-type": "application/json",
  "x-api-key": credential.apiKey,
  "x-api-secret": credential.apiSecret,
});

async function addMerchants({ baseUrl }: MsgdProcess, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const body = JSON.stringify({ merchantId: `m${number}`, displayName: "x".repeat(200) });
    const reply = await fetch(`${baseUrl}/api/v1/merchants`, { method: "POST", headers: headers(), body });
    expect(reply.status).toBe(200);
  }
}

async function countMerchants({ baseUrl }: MsgdProcess): Promise<number> {
  const reply = await fetch(`${baseUrl}/api/v1/merchants`, { headers: headers() });
  expect(reply.status).toBe(200);
  return (await reply.json()).length;
}

/** Runs a server that is expected to exit without serving. */
function serveInVain(user?: number): Promise<{ exitCode: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [msgd, "serve", "--data", folder.path, "--port", "0"],
      { timeout: 100_000, ...(user === undefined ? {} : { uid: user, gid: user }) },
      (error, stdout, stderr) => resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

/** Lists every file of the folder with its content, except the file that names the lock's holder. */
function takePrint(): string[] {
  return readdirSync(folder.path)
    .filter((name) => !name.startsWith("server.lock"))
    .sort()
    .map(
      (name) =>
        `${name} ${createHash("sha256")
          .update(readFileSync(join(folder.path, name)))
          .digest("hex")}`,
    );
}

const damages: Record<string, (file: string) => void> = {
  "overwritten at its head": (file) => overwrite(file, 0, Buffer.alloc(4_096, "damaged ")),
  "cut in half": (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2 / 4_096) * 4_096),
};

function overwrite(file: string, at: number, content: Buffer): void {
  const handle = openSync(file, "r+");
  writeSync(handle, content, 0, content.length, at);
  closeSync(handle);
}

describe.each(["msgd.db", "simulator.db"])("%s", (name) => {
  it.each(Object.keys(damages))(
    "is not changed if it is damaged (%s), and is served again once it is restored",
    async (damage) => {
      const file = join(folder.path, name);
      copyFileSync(file, `${file}.good`);
      damages[damage]?.(file);
      const before = takePrint();
      const { exitCode, stdout, stderr } = await serveInVain();
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
      expect(stderr).toMatch(/^msgd: a database in .* is damaged .*restore a backup/);
      expect(takePrint()).toEqual(before);

      copyFileSync(`${file}.good`, file);
      const server = await folder.serve();
      expect(await countMerchants(server)).toBe(201);
      expect(await server.end("SIGTERM")).toBe(0);
    },
  );
});

describe("a file of a data folder", () => {
  const put = (name: string) => join(folder.path, name);

  it.each([
    ["msgd.db", () => rmSync(put("msgd.db")), /msgd\.db is missing, though a server has kept its data in/],
    ["msgd.db", () => truncateSync(put("msgd.db")), /msgd\.db is empty, though a server has kept its data in/],
    ["pepper", () => rmSync(put("pepper")), /there is no .*pepper, and no credential works without/],
    [
      "pepper",
      () => writeFileSync(put("pepper"), "p".repeat(43)),
      /pepper is another pepper, and no credential works without/,
    ],
  ])(
    "%s is not created again if it is lost, and the folder is served again once it is restored",
    async (name, lose, words) => {
      copyFileSync(put(name), `${put(name)}.good`);
      lose();
      const before = takePrint();
      const { exitCode, stdout, stderr } = await serveInVain();
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
      expect(stderr).toMatch(words);
      expect(takePrint()).toEqual(before);

      copyFileSync(`${put(name)}.good`, put(name));
      const server = await folder.serve();
      expect(await countMerchants(server)).toBe(201);
      expect(await server.end("SIGTERM")).toBe(0);
    },
  );
});

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

describe.skipIf(process.platform === "win32")("a read-only data folder", () => {
  it("is reported, and is served again once it is writable", async () => {
    // root may write anywhere, so it runs the server as the user nobody, who owns the folder
    const own = (path: string) => isRoot && chownSync(path, NOBODY, NOBODY);
    const paths = [folder.path, ...readdirSync(folder.path).map((name) => join(folder.path, name))];
    for (const path of [folder.parent, ...paths]) own(path);
    const before = takePrint();
    for (const path of paths) chmodSync(path, path === folder.path ? 0o500 : 0o400);
    const { exitCode, stdout, stderr } = await serveInVain(isRoot ? NOBODY : undefined);
    for (const path of paths) chmodSync(path, path === folder.path ? 0o700 : 0o600);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^msgd: (?:no permission to read or write|the database in .* cannot be opened for writing)/);
    expect(takePrint()).toEqual(before);

    const server = await folder.serve();
    expect(await countMerchants(server)).toBe(201);
    expect(await server.end("SIGTERM")).toBe(0);
  });
});
