// The packed SDK behind a proxy, configured in the ways that its README shows. undici and Node.js 24 are fetched from npm once.
// Without a network, their tests are skipped.

import { execFile } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { installPeers } from "../bench/peers.ts";
import { consumerFaults } from "../e2e/consumer-faults.ts";
import { installSdk, packSdk, root } from "./packed.ts";
import { find, runtimes } from "./runtimes.ts";

const cache = join(root, ".cache/undici");
const { folder, remove } = installSdk();
const run = promisify(execFile);

/** Targets to which the proxy was asked to connect. */
let reached: string[];
let service: Server;
let proxy: Server;
let missing: string | undefined;

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listening = (server: Server) =>
  new Promise<Server>((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));

beforeAll(async () => {
  const { missing: packages, failure } = await installPeers(join(root, "test/packages/undici"), cache);
  if (packages.length > 0) missing = `${packages.join(", ")} could not be had from npm: ${failure}`;
  else cpSync(join(cache, "node_modules/undici"), join(folder, "node_modules/undici"), { recursive: true });
  service = await listening(createServer((_, response) => response.end("[]")));
  proxy = createServer((request, response) => {
    reached.push(new URL(request.url ?? "").host);
    response.end("[]");
  });
  proxy.on("connect", (request, socket) => {
    reached.push(request.url ?? "");
    const upstream = connect(portOf(service), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    // Either end may close first.
    for (const end of [upstream, socket]) end.on("error", () => end.destroy());
  });
  await listening(proxy);
});
beforeEach(() => {
  reached = [];
});
afterAll(() => {
  for (const server of [service, proxy]) {
    server.closeAllConnections();
    server.close();
  }
  remove();
});

/** Reads the README's line that creates a client with undici's ProxyAgent. */
function clientOfReadme(): string {
  const readme = readFileSync(join(packSdk().folder, "README.md"), "utf8");
  const [, line] = /^```js\nimport \{ ProxyAgent \} from "undici";\n\n([\s\S]*?)^```/m.exec(readme) ?? [];
  if (line === undefined) throw new Error("The README has no example with ProxyAgent.");
  return line.replace("http://proxy.internal:3128", `http://127.0.0.1:${portOf(proxy)}`);
}

async function listVia(command: string, args: readonly string[], program: string, more = {}): Promise<unknown> {
  // A host that does not exist, so that only the proxy can reach it.
  const credential = {
    MSGCTL_API_KEY: "key",
    MSGCTL_API_SECRET: "secret",
    MSGCTL_BASE_URL: "http://messaging.invalid",
  };
  const env = { PATH: process.env.PATH, HOME: folder, ...credential, ...more };
  const file = join(folder, "program.mjs");
  writeFileSync(file, `import { MessagingClient } from "@msgctl/sdk";\n${program}`);
  const { stdout } = await run(command, [...args, file], { cwd: folder, env, timeout: 100_000 });
  return JSON.parse(stdout);
}

const printed = "console.log(JSON.stringify(await proxied.merchants.list()));";

it("the SDK uses a proxy through undici's dispatcher, which compiles without a cast", async ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  const program = `import { ProxyAgent } from "undici";\n${clientOfReadme()}\n`;
  const typed = join(folder, "typed.mts");
  writeFileSync(typed, `import { MessagingClient } from "@msgctl/sdk";\n${program}\nvoid proxied;\n`);
  expect(consumerFaults([typed], folder, { isAlone: true })).toBe("");
  expect(await listVia(process.execPath, [], program + printed)).toEqual([]);
  expect(reached).toEqual(["messaging.invalid:80"]);
});

it.for([
  ["Node.js", "24.", "new MessagingClient()", []],
  ["Bun", "", "new MessagingClient({ fetchOptions: { proxy: PROXY } })", []],
  [
    ...[
      "Deno",
      "",
      "new MessagingClient({ fetchOptions: { client: Deno.createHttpClient({ proxy: { url: PROXY } }) } })",
    ],
    ["--allow-env", "--allow-net"],
  ],
] as [string, string, string, string[]][])(
  "the SDK uses a proxy in %s %s",
  async ([title, start, client, more], { skip }) => {
    const runtime = runtimes.find((each) => each.title === title && each.version.startsWith(start));
    if (runtime === undefined) throw new Error(`There is no ${title} ${start} among the runtimes.`);
    const found = await find(runtime);
    if ("missing" in found) return skip(found.missing);
    const url = `http://127.0.0.1:${portOf(proxy)}`;
    const environment = title === "Node.js" && { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: url };
    const program = `const proxied = ${client.replace("PROXY", JSON.stringify(url))};\n${printed}`;
    expect(
      await listVia(
        found.program,
        [...runtime.args.filter((arg) => !arg.startsWith("--allow-net")), ...more],
        program,
        environment || {},
      ),
    ).toEqual([]);
    expect(reached[0]).toMatch(/^messaging\.invalid(:80)?$/);
  },
);
