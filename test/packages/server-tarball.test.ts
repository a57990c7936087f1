// Tests @msgctl/server as npm would publish it, installed with only its dependencies.

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf } from "../docs/markdown.ts";
import { MsgdProcess } from "../e2e/msgd-process.ts";
import { packServer, readManifest, root } from "./packed.ts";

const { tarball, folder: packed, files, manifest } = packServer();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "msgd-installed-")));
const installed = join(folder, "node_modules", manifest.name);

beforeAll(() => {
  cpSync(packed, installed, { recursive: true });
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const own = join(root, "packages/server/node_modules", name);
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    // link the dependencies: each then finds its own, and the server finds only the packages that its manifest names
    symlinkSync(existsSync(own) ? own : join(root, "node_modules", name), link, "junction");
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inDashboard = (file: string) => `dist/dashboard/${file}`;

it("the package has launcher, program, contract and licence, and supports the same Node versions as the project", () => {
  const named = files.map((file) => file.replace(/(?<=^dist\/dashboard\/[\w.-]+)-[A-Z\d]{8}(?=\.\w+s$)/, ""));
  const isRest = (file: string) => /^dist\/(?:[\w-]+\.js(?:\.map)?|dashboard\/chunk\.js|docs\/.*\.html)$/.test(file);
  expect(named.filter((file) => !isRest(file))).toEqual([
    ...["LICENSE", "README.md", "bin/msgd.js", "carrier.openapi.yaml"],
    ...["dist/THIRD-PARTY-LICENSES.txt", "dist/carrier-adapter.d.ts"],
    "dist/dashboard/THIRD-PARTY-LICENSES.txt",
    ...["forms.js", "index.html", "later.js", "main.js", "qr-rows.js", "style.css"].map(inDashboard),
    ...[
      "dist/docs/client.js",
      "dist/docs/icon.ico",
      "dist/docs/icon.svg",
      "dist/docs/search.json",
      "dist/docs/style.css",
    ],
    ...["dist/in-process.cjs", "dist/openapi.json", "dist/openapi.yaml", "package.json"],
  ]);
  for (const field of ["private", "scripts"]) expect(manifest).not.toHaveProperty(field);
  expect(manifest.engines).toEqual(readManifest(root).engines);
});

it("the package passes publint", async () => {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

it("msgd serves the contract and its demo, and stops on SIGTERM", async () => {
  const server = await MsgdProcess.start(["serve", "--dev", "--port", "0"], {
    cwd: folder,
    program: join(installed, "bin/msgd.js"),
  });
  try {
    const { apiKey, apiSecret } = JSON.parse(readFileSync(join(folder, ".msgd/demo-credential.json"), "utf8"));
    const headers = { "X-API-Key": apiKey, "X-API-Secret": apiSecret };
    const listed = await fetch(`${server.baseUrl}/api/v1/merchants`, { headers });
    const text = await (await fetch(`${server.baseUrl}/openapi.yaml`)).text();
    expect([listed.status, text]).toEqual([200, readFileSync(join(root, "openapi.yaml"), "utf8")]);
    for (const path of ["/docs/send/sms", "/docs/client.js", "/docs/style.css", "/favicon.ico", "/dashboard"]) {
      expect([path, (await fetch(server.baseUrl + path)).status]).toEqual([path, 200]);
    }
    expect(await server.end("SIGTERM")).toBe(0);
  } finally {
    await server.end("SIGKILL");
  }
});

it("msgd refuses DATABASE_URL without the driver, and names the command that installs it", async () => {
  const { pg, ...others } = manifest.peerDependencies as Record<string, string>;
  const optional = Object.keys({ pg, ...others }).map((name) => [name, { optional: true }]);
  expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(optional));
  const MSGD_SECRET_KEY = randomBytes(32).toString("base64");
  const env = { ...process.env, MSGD_SECRET_KEY, DATABASE_URL: "postgres://msgd:hidden@127.0.0.1:1/msgd" };
  for (const words of [
    ["serve", "--port", "0"],
    ["tenants", "list"],
  ]) {
    const ended = promisify(execFile)(process.execPath, [join(installed, "bin/msgd.js"), ...words], {
      cwd: folder,
      env,
    });
    await expect(ended).rejects.toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: `msgd: PostgreSQL needs its driver, which is not installed: npm install pg@${pg}\n`,
    });
  }
});

it.skipIf(process.platform === "win32")("the blocks of the README work in order", async () => {
  const program = join(installed, "bin/msgd.js");
  // replaces npx, which would ask a registry
  const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${program}" "$@"\n`;
  writeFileSync(join(folder, "npx"), npx, { mode: 0o755 });
  const home = mkdtempSync(join(folder, "home-"));
  const options = { cwd: home, env: { PATH: `${folder}:${process.env.PATH}` }, timeout: 100_000 };
  const printed: string[] = [];
  let server: MsgdProcess | undefined;
  try {
    for (const { language, text } of blocksOf(readFileSync(join(installed, "README.md"), "utf8"))) {
      expect(language).toBe("sh");
      const [, flags] = /^npx msgd serve(.*)\n$/m.exec(text) ?? [];
      if (flags === undefined) {
        const lines = text.replaceAll("http://127.0.0.1:4800", server?.baseUrl ?? "");
        printed.push((await promisify(execFile)("bash", ["-euo", "pipefail", "-c", lines], options)).stdout);
        continue;
      }
      expect(text).toMatch(/^(npm install @msgctl\/server\n)?npx msgd serve.*\n$/);
      await server?.end("SIGTERM");
      const words = flags.trim().split(" ").filter(Boolean);
      server = await MsgdProcess.start(["serve", ...words, "--port", "0"], { cwd: home, program });
    }
  } finally {
    await server?.end("SIGKILL");
  }
  const [keys = "", send = "", ...others] = printed;
  expect([keys, send, others]).toEqual([expect.stringMatching(/mks_/), expect.stringMatching(/"QUEUED"/), []]);
});

it("the server can run inside another program's process", async () => {
  const program = `
    import { openInProcessService } from "@msgctl/server/in-process";
    const service = await openInProcessService();
    await service.start();
    const { apiKey, apiSecret } = service.credential;
    const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
    const reply = await service.exchange({ method: "GET", url: "/api/v1/merchants", headers });
    await service.close();
    console.log(reply.status);`;
  const words = ["--input-type", "module", "-e", program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { cwd: folder, timeout: 100_000 });
  expect([stdout, stderr]).toEqual(["200\n", ""]);
});
