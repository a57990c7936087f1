// The contract read by third-party generators: the client that each makes, by the command of docs/other-tools.md, has every
// operation, compiles, and knows the fields of a request. They are fetched from npm once; without a network the tests are
// skipped.

import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { documentFile, routes } from "../../packages/contract/test/document.ts";
import { installPeers, type Peers } from "../bench/peers.ts";
import { commandOf } from "../docs/tool-commands.ts";
import { root } from "./packed.ts";

const run = promisify(execFile);
const installed = join(root, ".cache/contract-peers");
/** Next to node_modules, so that a client's imports are found. */
const outputs = join(installed, "outputs");

interface Generator {
  readonly name: string;
  /** Its program, in node_modules. */
  readonly program: string;
  /** The module that it generates, in its folder. */
  readonly entry: string;
  /** Code that sends an SMS with the generated client; `BODY` is replaced by the body. */
  readonly send: string;
  /** A warning that does not stop it, and that is not the document's fault. */
  readonly complaint?: string;
}

const generators: readonly Generator[] = [
  {
    name: "@hey-api/openapi-ts",
    program: "@hey-api/openapi-ts/bin/run.js",
    entry: "index.ts",
    send: "peer.sendSms({ body: BODY }).then(({ data }) => data?.messageId)",
  },
  {
    name: "orval",
    program: "orval/dist/bin/orval.js",
    entry: "client.ts",
    send: "peer.sendSms(BODY).then((reply) => (reply.status === 200 ? reply.data.messageId : undefined))",
    // its validator's schema of OpenAPI 3.1 misspells `description` of a server's variable as `descriptions`
    complaint: [
      "Swagger schema validation failed.",
      "  #/servers/0/variables/base_url must NOT have unevaluated properties",
      "  #/servers/1/variables/dashboard_url must NOT have unevaluated properties",
    ].join("\n"),
  },
  {
    name: "swagger-typescript-api",
    program: "swagger-typescript-api/dist/cli.mjs",
    entry: "client.ts",
    send: "new peer.Api().api.sendSms(BODY).then(({ data }) => data.messageId)",
  },
  {
    name: "openapi-typescript-codegen",
    program: "openapi-typescript-codegen/bin/index.js",
    entry: "index.ts",
    send: "peer.MessagesService.sendSms(BODY).then(({ messageId }) => messageId)",
  },
  {
    name: "openapi-zod-client",
    program: "openapi-zod-client/bin.js",
    entry: "client.ts",
    send: "peer.api.sendSms(BODY).then(({ messageId }) => messageId)",
  },
];

const request = '{ merchantId: "bright-dental", to: "+12025550100", message: "Hello", type: "OTP" }';

let peers: Peers;
/** At most two run at a time. */
let made: Readonly<Record<string, Promise<string>>>;

beforeAll(() => {
  peers = installPeers(join(root, "test/packages/contract-peers"), installed);
  rmSync(outputs, { recursive: true, force: true });
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  made = Object.fromEntries(
    generators.map((generator, index) => {
      const lane = index % lanes.length;
      const made = (lanes[lane] ?? Promise.resolve()).then(() => make(generator));
      // a failure is reported by its own test
      lanes[lane] = made.catch(() => undefined);
      return [generator.name, made];
    }),
  );
}, 200_000);

/** Runs a generator. Returns its output. */
async function make({ program, name }: Generator): Promise<string> {
  if (peers.missing.length > 0) return "";
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  const args = commandOf(name).args.map((word) => (word === "openapi.yaml" ? documentFile : word));
  const command = [join(installed, "node_modules", program), ...args];
  const { stdout, stderr } = await run(process.execPath, command, { cwd: outputs, timeout: 100_000 });
  return stdout + stderr;
}

/** The folder in which the page's command puts its client. */
function folderOf(name: string): string {
  const target = commandOf(name).args.find((word) => word.startsWith("client/"));
  return join(outputs, ...(target ?? "client/unnamed").split("/").slice(0, 2));
}

describe("a client that compiles, with every operation, is made by", () => {
  // the first waits for a generator that starts cold
  it.for(generators)("$name", { timeout: 120_000 }, async ({ name, entry, send, complaint }, { skip }) => {
    if (peers.missing.length > 0) return skip(`npm could not install ${peers.missing.join(", ")}`);
    expect(peers.versions.get(name)).toBe(commandOf(name).version);
    const printed = await made[name];
    const folder = folderOf(name);
    const source = sourcesIn(folder).map(readChecked).join("\n");
    const ids = routes.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !new RegExp(`\\b${id}\\b`).test(source))).toEqual([]);

    const program = join(folder, "program.ts");
    const wrong = request.replace("message:", "messages:");
    writeFileSync(
      program,
      `import * as peer from "./${entry.replace(".ts", "")}";
export const id: Promise<string | undefined> = ${send.replace("BODY", request)};
// @ts-expect-error a field that the contract does not have
export const wrong = ${send.replace("BODY", wrong)};
// @ts-expect-error an id is a text
export const number: Promise<number | undefined> = ${send.replace("BODY", request)};
`,
    );
    expect(faultsOf(program)).toEqual([]);

    if (complaint !== undefined) expect(printed).toContain(complaint);
    else expect(printed).not.toMatch(/\b(error|warn(ing)?|invalid|failed)\b/i);
  });
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The file's text without directives that switch the compiler's checks off. */
function readChecked(file: string): string {
  const text = readFileSync(file, "utf8").replaceAll("// @ts-nocheck", "");
  writeFileSync(file, text);
  return text;
}

const compilerOptions: ts.CompilerOptions = {
  ...{ target: ts.ScriptTarget.ES2022, lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"] },
  ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  ...{ strict: true, skipLibCheck: true, noEmit: true, types: [] },
};
const compilerHost = ts.createCompilerHost(compilerOptions);
/** The compiler's own libraries, read once for all programs. */
const libraries = new Map<string, ts.SourceFile | undefined>();
const { getSourceFile } = compilerHost;
compilerHost.getSourceFile = (path, ...how) => {
  if (!path.includes("/typescript/lib/lib.")) return getSourceFile(path, ...how);
  if (!libraries.has(path)) libraries.set(path, getSourceFile(path, ...how));
  return libraries.get(path);
};

/** Errors of our TypeScript in the program and in everything that it imports of the client. */
function faultsOf(file: string): string[] {
  const program = ts.createProgram([file], compilerOptions, compilerHost);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}
