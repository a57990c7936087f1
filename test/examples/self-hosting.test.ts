// Checks the files of examples/self-hosting without containers and systemd. The image's files are laid out and started as the
// Dockerfile says, the backup runs beside a server, and every name is compared with msgd's help.

import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findKindFault, requireKind, schemaOf } from "../../packages/server/src/carriers/kinds.ts";
import { findShapeFaults } from "../../packages/server/src/commands/json-file.ts";
import { objectOf } from "../../packages/server/src/domain/document-checks.ts";
import { createIsWithin, parseNetworks } from "../../packages/server/src/domain/network-addresses.ts";
import { publicPaths } from "../../packages/server/src/domain/public-paths.ts";
import { cleanEnvironment } from "../e2e/msgctl-process.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { root } from "./example-process.ts";
import { complaintsAbout, hasSystemd } from "./systemd.ts";

const example = join(root, "examples/self-hosting");
const read = (name: string) => readFileSync(join(example, name), "utf8");
const instanceFiles = ["compose.yaml", "haproxy.cfg", "env.example"].map((name) => join("instances", name));
const unitNames = readdirSync(join(example, "systemd"));
const pathsOf = (isNeeded: boolean) => publicPaths.filter((path) => path.isNeeded === isNeeded).map(({ path }) => path);
const neededPaths = pathsOf(true);
const optionalPaths = pathsOf(false);
const units = unitNames.map((name) => join("systemd", name));
const msgdPath = join(root, "bin/msgd");
const helpOf = async (...command: string[]) =>
  (await promisify(execFile)(process.execPath, [msgdPath, ...command, "--help"])).stdout;

const dockerfile = read("Dockerfile").replaceAll("\\\n", " ");
/** The last stage of the Dockerfile, which makes the image. */
const image = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
const instruction = (name: string) =>
  JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, "m").exec(image)?.[1] ?? "[]") as string[];
const environment = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(image)?.[1] ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value]) => [
    name,
    value ?? "",
  ]),
);

describe("the files", () => {
  it("have settings for Twilio that msgd accepts once the token is filled in", () => {
    const document = { ...JSON.parse(read("twilio.json")), authToken: "token" };
    for (const channel of ["SMS", "VOICE"] as const) {
      expect(findKindFault(document, channel)).toBeUndefined();
      const kind = requireKind(document);
      expect(findShapeFaults(document, schemaOf(kind))).toEqual([]);
      expect(kind.findFaults(objectOf(document, ""), { channel, isForAllTenants: false })).toEqual([]);
    }
  });

  const files = ["README.md", "Dockerfile", "compose.yaml", "backup.sh", ...units, ...instanceFiles];

  it("use only variables of msgd", async () => {
    const serve = await helpOf("serve");
    const used = new Set(files.flatMap((name) => read(name).match(/\bMSGD_[A-Z_]+\b/g) ?? []));
    expect([...used].filter((name) => !serve.includes(name))).toEqual([]);
    expect(used).toContain("MSGD_SECRET_KEY");
  });

  it("use only commands and flags of msgd", async () => {
    const calls = files.flatMap((name) => [
      ...read(name).matchAll(
        /(?:\$msgd|bin\/msgd|msgd msgd|--rm msgd|msgd\.js) ((?:tenants |keys |carriers |messages )?[a-z]+)\b([^\n#]*)/g,
      ),
    ]);
    const commands = [...new Set(calls.map(([, command = ""]) => command))];
    const helpOfEach = async (command: string) => [command, await helpOf(...command.split(" "))] as const;
    const helps = new Map(await Promise.all(commands.map(helpOfEach)));
    expect([...helps.keys()].sort()).toEqual([
      "backup",
      "carriers set",
      "carriers test",
      "keys create",
      "messages list",
      "restore",
      "serve",
      "tenants create",
      "verify",
    ]);
    for (const [, command = "", rest = ""] of calls) {
      for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(helps.get(command)).toContain(`${flag} `);
    }
  });

  it("use the same paths in the image, the compose file and the units", () => {
    const { services } = parse(read("compose.yaml"));
    const mounts = services.msgd.volumes.map((volume: string) => volume.split(":")[1]);
    expect(mounts).toEqual(instruction("VOLUME"));
    expect(mounts[0]).toBe(environment.MSGD_DATA);
    expect(services.msgd.ports).toEqual([`127.0.0.1:4800:${environment.MSGD_PORT}`]);
    expect(existsSync(join(example, services.msgd.build.context, services.msgd.build.dockerfile))).toBe(true);
    for (const [, paths = ""] of dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)) {
      for (const path of paths.split(" ")) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
    for (const name of units) {
      for (const [, path = ""] of read(name).matchAll(/\/opt\/msgd\/(\S+?)"?(?:\s|$)/g)) {
        expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      }
    }
    expect(read("systemd/msgd-backup.service")).toContain("ReadWritePaths=/var/lib/msgd /var/backups/msgd");
  });

  it("run msgd as a user other than root", () => {
    const [, id] = / useradd --uid (\d+) --user-group .* msgd /.exec(image) ?? [];
    expect(/^USER (\S+)$/m.exec(image)?.[1]).toBe(`${id}:${id}`);
    for (const name of units.filter((unit) => unit.endsWith(".service"))) expect(read(name)).toMatch(/^User=msgd$/m);
  });
});

it("all files name the paths that a proxy forwards", () => {
  const listed = (paths: readonly string[], quote = "") =>
    new Intl.ListFormat("en").format(paths.map((path) => quote + path + quote));
  expect(read("compose.yaml")).toContain(`forwards ${listed(neededPaths)}, and ${listed(optionalPaths)} if`);
  const readme = read("README.md").replaceAll("\n", " ");
  const passes = [...readme.matchAll(/passes (`.*?)[.:] /g)].map(([, text = ""]) => text);
  expect(passes).toHaveLength(2);
  for (const text of passes) {
    expect(text).toContain(listed(neededPaths, "`"));
    expect(text).toContain(listed(optionalPaths, "`"));
  }
});

it.each(["compose.yaml", "instances/compose.yaml", "systemd/msgd.service"])(
  "%s names the trusted proxies, and the public URL",
  (name) => {
    const text = read(name);
    const [, networks = ""] = /MSGD_TRUSTED_PROXIES(?:: |=)(.+)$/m.exec(text) ?? [];
    expect(parseNetworks(networks)).toBeDefined();
    // Docker's networks and loopback are trusted
    const isTrusted = createIsWithin(parseNetworks(networks) ?? []);
    expect(isTrusted("172.18.0.1") || isTrusted("127.0.0.1")).toBe(true);
    expect(["203.0.113.9", "10.0.0.1", "2001:db8::1"].filter(isTrusted)).toEqual([]);
    expect(text).toContain("MSGD_PUBLIC_URL");
  },
);

it("the README gives both set-ups a public URL", () => {
  const urls = [...read("README.md").matchAll(/^echo 'MSGD_PUBLIC_URL=(.+)' >> (\S+)/gm)].map(([, url, file]) => [
    url,
    file,
  ]);
  expect(urls).toEqual([
    ["https://msg.example.com", "examples/self-hosting/msgd.env"],
    ["https://msg.example.com", "/etc/msgd/msgd.env"],
  ]);
});

describe("two instances", () => {
  const { services, volumes } = parse(read("instances/compose.yaml"), { merge: true });
  const [first, second] = [services["msgd-1"], services["msgd-2"]];
  const proxy = read("instances/haproxy.cfg");

  it("have the same configuration except for their names", () => {
    const { build, hostname } = first;
    expect({ ...second, hostname }).toEqual(first);
    expect([hostname, second.hostname]).toEqual(["msgd-1", "msgd-2"]);
    expect(existsSync(join(example, "instances", build.context, build.dockerfile))).toBe(true);
    expect(Object.keys(volumes)).toEqual(["data"]);
  });

  it("take their secrets from the environment, as in the example", () => {
    const asked = [...read("instances/compose.yaml").matchAll(/\$\{(\w+):\?see env\.example\}/g)].map(
      ([, name]) => name,
    );
    const named = [...read("instances/env.example").matchAll(/^(\w+)=$/gm)].map(([, name]) => name);
    expect([...new Set(asked)].sort()).toEqual(named.sort());
    expect(first.environment.DATABASE_URL).toBe(
      `postgres://${services.postgres.environment.POSTGRES_USER}:\${POSTGRES_PASSWORD:?see env.example}@postgres:5432/${services.postgres.environment.POSTGRES_DB}`,
    );
  });

  it("have connections to spare in the database", () => {
    const [, most] = /max_connections=(\d+)/.exec(services.postgres.command.join(" ")) ?? [];
    expect(Number(most)).toBeGreaterThanOrEqual(2 * Number(first.environment.MSGD_DATABASE_CONNECTIONS) + 20);
  });

  it("have the addresses at which the proxy expects them", () => {
    for (const [index, { hostname }] of [first, second].entries()) {
      expect(proxy).toContain(`presetenv MSGD_${index + 1} ${hostname}:${environment.MSGD_PORT}\n`);
    }
    expect(services.haproxy.ports).toEqual(["127.0.0.1:4800:4800"]);
    expect(services.haproxy.volumes[0]).toMatch(/^\.\/haproxy\.cfg:/);
  });

  it("stay in use while they answer later than the next check", () => {
    const seconds = (name: string) => Number(new RegExp(`\\b${name} (\\d+)s`).exec(proxy)?.[1]);
    expect(seconds("timeout check")).toBeGreaterThan(seconds("inter"));
  });

  it("are reached by the paths that callers and recipients need, and get the caller's address", () => {
    const [, passed = ""] = /^ +http-request deny deny_status 404 unless \{ path_beg (.*) \}$/m.exec(proxy) ?? [];
    expect(passed.split(" ")).toEqual(neededPaths);
    expect(proxy).toMatch(/^ +option forwardfor$/m);
    expect(proxy).toContain(`add ${optionalPaths.join(" and ")}\n`);
  });

  it.skipIf(spawnSync("haproxy", ["-v"]).error !== undefined)("have a proxy file that HAProxy accepts", () => {
    const here = { PROXY_ADDRESS: "127.0.0.1:4800", MSGD_1: "127.0.0.1:4801", MSGD_2: "127.0.0.1:4802" };
    const check = spawnSync("haproxy", ["-c", "-f", join(example, "instances/haproxy.cfg")], {
      encoding: "utf8",
      env: { ...process.env, ...here },
    });
    expect([check.status, check.stderr]).toEqual([0, expect.not.stringMatching(/WARNING|ALERT/)]);
  });
});

it("the image copies no folder that npm may not have created", () => {
  const [stage = ""] = /^FROM .* AS dependencies$[\s\S]*?(?=^FROM )/m.exec(dockerfile) ?? [];
  for (const [, folder = ""] of image.matchAll(/^COPY --from=dependencies \/src\/(\S+\/node_modules) /gm)) {
    expect(stage).toContain(`RUN mkdir -p ${folder}\n`);
  }
});

it("the image has all optional libraries of msgd", () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "packages/server/package.json"), "utf8"));
  const [, installed = ""] = /^RUN npm install .* --include-workspace-root=false +(.*)$/m.exec(dockerfile) ?? [];
  expect(installed.trim().split(/ +/).sort()).toEqual(Object.keys(peerDependencies).sort());
});

// a shell command, which Windows cannot run
it.skipIf(process.platform === "win32")("the image leaves out the sources of SQLite, but not what loads it", () => {
  const folder = mkdtempSync(join(tmpdir(), "msgd-sqlite-"));
  try {
    for (const name of ["better-sqlite3", "bindings", "file-uri-to-path"]) {
      cpSync(join(root, "node_modules", name), join(folder, "node_modules", name), { recursive: true });
    }
    const [, command = ""] = /^RUN (cd node_modules\/better-sqlite3 .*)$/m.exec(dockerfile) ?? [];
    execFileSync("sh", ["-euc", command], { cwd: folder });
    const program = 'new (require("better-sqlite3"))(":memory:").close()';
    execFileSync(process.execPath, ["-e", program], { cwd: folder });
    expect(readdirSync(join(folder, "node_modules/better-sqlite3"))).not.toContain("deps");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it.skipIf(!hasSystemd)("systemd accepts the units", () => {
  expect(complaintsAbout(unitNames.map((name) => join(example, "systemd", name)))).toEqual([]);
});

// needs the paths and links of the image, which runs Linux
describe.skipIf(process.platform === "win32")("the image's files", () => {
  const folder = mkdtempSync(join(tmpdir(), "msgd-image-"));
  const inImage = (path: string) => path.replace(/^\/opt\/msgd/, folder);
  let child: ChildProcess | undefined;
  let env: Record<string, string>;
  const written: string[] = [];

  beforeAll(async () => {
    const copies = [...image.matchAll(/^COPY --from=\w+ \/src\/(\S+) \.\/(\S+)$/gm)];
    expect(copies.length).toBe(image.match(/^COPY/gm)?.length);
    for (const [, from = "", to = ""] of copies) {
      mkdirSync(dirname(join(folder, to)), { recursive: true });
      // links the packages, because they are large; the lock determines their contents
      if (from.endsWith("node_modules")) symlinkSync(join(root, from), join(folder, to));
      else cpSync(join(root, from), join(folder, to), { recursive: true });
    }
    env = {
      ...cleanEnvironment(folder),
      ...environment,
      MSGD_DATA: join(folder, "data"),
      MSGD_HOST: "127.0.0.1",
      MSGD_PORT: "0",
    };
    const [program = "", ...args] = [...instruction("ENTRYPOINT"), ...instruction("CMD")];
    child = spawn(program, args.map(inImage), { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    if (child.stdout === null || child.stderr === null) throw new Error("the program has no output");
    child.stderr.on("data", (text) => written.push(String(text)));
    for await (const line of createInterface({ input: child.stdout })) {
      const port = /^msgd listening on http:\S+:(\d+)$/.exec(line)?.[1];
      if (port === undefined) continue;
      env.MSGD_PORT = port;
      return;
    }
    throw new Error(`the server ended: ${written.join("")}`);
  });
  afterAll(async () => {
    if (child?.exitCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const checkHealth = () => {
    const [program = "", ...args] = instruction("HEALTHCHECK .* CMD");
    return spawnSync(program, args, { env, timeout: 100_000 }).status;
  };

  it("are sufficient for the README's first message", async () => {
    const msgd = (...args: string[]) =>
      execFileSync(process.execPath, [msgdPath, ...args], { env, encoding: "utf8", stdio: "pipe" });
    msgd("tenants", "create", "Trial", "--test");
    const printed = msgd("keys", "create", "--tenant", "1");
    const [, exported = ""] = /^ +export (MSGCTL_BASE_URL=.*)$/m.exec(printed) ?? [];
    const [, lines = ""] = /^```sh\n(curl [\s\S]*?)^docker /m.exec(read("README.md")) ?? [];
    const here = lines.replaceAll("curl ", "curl -sSf ").replaceAll("127.0.0.1:4800", `127.0.0.1:${env.MSGD_PORT}`);
    const replies = execFileSync("sh", ["-euc", `${exported}\n${here}`], { encoding: "utf8", stdio: "pipe" });
    expect(replies).toMatch(/"merchantId":"first-merchant".*"status":"QUEUED"/s);
  });

  it("are sufficient for a server, which is healthy until it is stopped", async () => {
    expect(checkHealth()).toBe(0);
    if (child === undefined) throw new Error("there is no server");
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(checkHealth()).toBe(1);
  });
});

it.skipIf(process.platform === "win32")(
  "commands of the README that run outside of the unit use the server's key",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "msgd-unit-"));
    try {
      writeFileSync(join(folder, "msgd.env"), `MSGD_SECRET_KEY=${Buffer.alloc(32, 7).toString("base64")}\n`);
      const [, lines = ""] = /^cd \/opt\/msgd\n(set -a [\s\S]*?)```$/m.exec(read("README.md")) ?? [];
      const real = { "/etc/msgd": folder, "/var/lib/msgd": join(folder, "data"), "runuser -u msgd -- ": "" };
      const here = Object.entries(real).reduce((text, [name, path]) => text.replaceAll(name, path), lines);
      const more = "bin/msgd callbacks secret --tenant 1\n";
      execFileSync("sh", ["-euc", here + more], { cwd: root, env: cleanEnvironment(folder), stdio: "pipe" });
      expect(readdirSync(join(folder, "data"))).toContain("pepper");
      expect(readdirSync(join(folder, "data"))).not.toContain("secret-key");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

// the backup is a shell script, which Windows cannot run
describe.skipIf(process.platform === "win32")("backup.sh", () => {
  const folder = new MsgdFolder();
  const backups = mkdtempSync(join(tmpdir(), "msgd-backups-"));
  beforeAll(async () => {
    await folder.serveDemo();
  });
  afterAll(async () => {
    await folder.remove();
    rmSync(backups, { recursive: true, force: true });
  });

  const backUp = (env: Record<string, string> = {}) =>
    spawnSync("sh", [join(example, "backup.sh")], {
      encoding: "utf8",
      env: {
        ...cleanEnvironment(folder.parent),
        ...{ MSGD_DATA: folder.path, BACKUPS: backups, BACKUPS_KEPT: "2", MSGD: `${process.execPath} ${msgdPath}` },
        ...env,
      },
    });

  it("makes a backup beside the running server, verifies it, and keeps only the newest", () => {
    for (const day of ["01", "02", "03"]) writeFileSync(join(backups, `msgd-2025-03-${day}T033000.db`), "");
    writeFileSync(join(backups, "notes.txt"), "not the script's");
    // a folder left by a run that was killed two days ago
    const left = join(backups, "rehearsal.Abc123");
    mkdirSync(left);
    const before = Date.now() / 1000 - 172_800;
    utimesSync(left, before, before);
    const { status, stdout, stderr } = backUp();
    expect([status, stderr]).toEqual([0, ""]);
    const path = stdout.trim();
    expect(path).toMatch(/\/msgd-\d{4}-\d\d-\d\dT\d{6}\.db$/);
    expect(readdirSync(backups).sort()).toEqual([
      "msgd-2025-03-03T033000.db",
      path.slice(backups.length + 1),
      "notes.txt",
    ]);
    const restored = join(backups, "restored");
    execFileSync(process.execPath, [msgdPath, "restore", path, "--data", restored], { stdio: "pipe" });
    rmSync(restored, { recursive: true });
  });

  it.each([
    ["MSGD_DATA has no data", { MSGD_DATA: join(backups, "none") }, 1, /there is no data of msgd/],
    ["msgd is not installed", { MSGD: "no-such-program" }, 1, /not found/],
    ["BACKUPS_KEPT is 0", { BACKUPS_KEPT: "0" }, 2, /BACKUPS_KEPT is 0/],
  ])("changes nothing if %s", (_, env, expected, said) => {
    const before = readdirSync(backups);
    const { status, stderr } = backUp(env);
    expect([status, stderr]).toEqual([expected, expect.stringMatching(said)]);
    expect(readdirSync(backups)).toEqual(before);
  });
});
