// Checks the files of examples/carriers without containers: they agree with each other and with msgd, Postfix accepts its
// configuration, and the SMSC works with msgd's client.

import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { FreeSwitchSettings } from "../../packages/server/src/carriers/freeswitch/settings.ts";
import { findKindFault, requireKind, schemaOf } from "../../packages/server/src/carriers/kinds.ts";
import type { Provider, ProviderEvent } from "../../packages/server/src/carriers/provider.ts";
import { openSmppCarrier } from "../../packages/server/src/carriers/smpp/open-smpp-carrier.ts";
import type { SmppSettings } from "../../packages/server/src/carriers/smpp/settings.ts";
import type { SmtpSettings } from "../../packages/server/src/carriers/smtp/settings.ts";
import { findShapeFaults } from "../../packages/server/src/commands/json-file.ts";
import { createVirtualClock } from "../../packages/server/src/development/clocks.ts";
import { objectOf } from "../../packages/server/src/domain/document-checks.ts";
import { unbounded } from "../../packages/server/src/testing/scripted-provider.ts";
import { submissionOf, until } from "../../packages/server/src/testing/scripted-smsc.ts";
import { blocksOf } from "../docs/markdown.ts";
import { root } from "./example-process.ts";

const example = join(root, "examples/carriers");
const read = (name: string) => readFileSync(join(example, name), "utf8");
const documents = { EMAIL: "mail.json", SMS: "texts.json", VOICE: "calls.json" } as const;
type CarriedChannel = keyof typeof documents;
const settingsOf = (channel: CarriedChannel) => {
  const document = JSON.parse(read(documents[channel]));
  return requireKind(document).complete(document);
};
const mail = settingsOf("EMAIL") as SmtpSettings;
const texts = settingsOf("SMS") as SmppSettings;
const calls = settingsOf("VOICE") as FreeSwitchSettings;

interface Service {
  readonly build: string | { readonly context: string; readonly dockerfile?: string };
  readonly ports?: string[];
  readonly volumes?: string[];
  readonly environment?: Record<string, string>;
  readonly healthcheck?: object;
}
const { services, volumes } = parse(read("compose.yaml")) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const buildOf = ({ build }: Service) => {
  const { context, dockerfile = "Dockerfile" } = typeof build === "string" ? { context: build } : build;
  const folder = join(example, context);
  return { folder, dockerfile: join(folder, dockerfile) };
};
const dockerfileOf = (service: Service) => readFileSync(buildOf(service).dockerfile, "utf8").replaceAll("\\\n", " ");
const mountsOf = (name: string) => (services[name]?.volumes ?? []).map((volume) => volume.split(":").slice(0, 2));
const xml = read("freeswitch/freeswitch.xml").replaceAll(/<!--[\s\S]*?-->/g, "");
const param = (name: string, within = xml) => new RegExp(`<param name="${name}" value="([^"]*)"`).exec(within)?.[1];

describe("the compose file", () => {
  it.each(Object.entries(services))("builds %s from existing files", (_name, service) => {
    const { folder } = buildOf(service);
    const dockerfile = dockerfileOf(service);
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = ""]) =>
      paths.split(" "),
    );
    expect(copied.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });

  it("mounts the volumes that it declares, and no folder of the host", () => {
    const mounted = new Set(Object.keys(services).flatMap((name) => mountsOf(name).map(([source]) => source)));
    expect([...mounted].sort()).toEqual(Object.keys(volumes).sort());
  });

  it("publishes only msgd's port, on loopback", () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([["msgd", "127.0.0.1:4800:4800"]]);
  });

  it("has a health check for each container", () => {
    const checked = (service: Service) =>
      service.healthcheck !== undefined || /^HEALTHCHECK/m.test(dockerfileOf(service));
    const others = Object.entries(services).filter(([name, service]) => name !== "msgd" && !checked(service));
    expect(others).toEqual([]);
    // msgd inherits the health check of its base image
    expect(dockerfileOf(services.msgd as Service)).toMatch(/^FROM msgd$/m);
    expect(readFileSync(join(root, "examples/self-hosting/Dockerfile"), "utf8")).toMatch(/^HEALTHCHECK/m);
  });

  it("sets variables that msgd knows", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, "bin/msgd"), "serve", "--help"]);
    const names = Object.keys(services.msgd?.environment ?? {});
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !stdout.includes(`(${name},`))).toEqual([]);
  });

  it("installs the SMSC's library in the tested version", () => {
    const { version } = JSON.parse(readFileSync(join(root, "node_modules/smpp/package.json"), "utf8"));
    expect(dockerfileOf(services.smsc as Service)).toContain(`smpp@${version}\n`);
  });
});

describe("the carriers' settings", () => {
  it.each(Object.entries(documents) as [CarriedChannel, string][])("%s: %s is accepted by msgd", (channel, name) => {
    const document = JSON.parse(read(name));
    expect(findKindFault(document, channel)).toBeUndefined();
    const kind = requireKind(document);
    expect(findShapeFaults(document, schemaOf(kind))).toEqual([]);
    expect(kind.findFaults(objectOf(document, ""), { channel, isForAllTenants: false })).toEqual([]);
    expect(Object.keys(services)).toContain(document.host);
  });

  it("mail: Postfix sends bounces to msgd", () => {
    const [, port] = /:(\d+)$/.exec(services.msgd?.environment?.MSGD_BOUNCES ?? "") ?? [];
    const transports = Object.fromEntries(
      read("postfix/transport")
        .match(/^[^#].*$/gm)
        ?.map((line) => line.split(/\s+/, 2)) ?? [],
    );
    expect(transports[mail.returnPath ?? ""]).toBe(`lmtp:inet:msgd:${port}`);
    expect(mail.port).toBe(25);
  });

  it("texts: the carrier is at the configured address, and knows the configured credential", () => {
    const { SMSC_PASSWORD } = services.smsc?.environment ?? {};
    expect(SMSC_PASSWORD).toBe(texts.password);
    expect(dockerfileOf(services.smsc as Service)).toContain(`SMSC_PORT=${texts.port}`);
  });

  it("calls: FreeSWITCH has the same settings", () => {
    const socket = /<configuration name="event_socket\.conf">[\s\S]*?<\/configuration>/.exec(xml)?.[0];
    expect([param("password", socket), param("listen-port", socket)]).toEqual([calls.password, String(calls.port)]);
    expect(JSON.stringify(services.freeswitch?.healthcheck)).toContain(`"${calls.password}"`);
    expect([...xml.matchAll(/<gateway name="([^"]*)"/g)].map(([, name]) => name)).toEqual([calls.gateway]);
    // FreeSWITCH pings the gateway, so that it notices a lost carrier
    expect(Number(param("ping"))).toBeGreaterThan(0);
    expect(Number(param("sessions-per-second"))).toBeGreaterThan(2 * (calls.perSecond ?? 0));
    expect(Number(param("max-sessions"))).toBeGreaterThan(2 * calls.calls);
    expect(param("log-dir")).toBe(calls.callRecordFolder);
  });

  it("calls: msgd and FreeSWITCH mount the same folders, with the same owners", () => {
    const speech = services.msgd?.environment?.MSGD_SPEECH_FOLDER;
    const shared = [
      ["speech", speech],
      ["records", calls.callRecordFolder],
    ];
    for (const name of ["msgd", "freeswitch"]) expect(mountsOf(name)).toEqual(expect.arrayContaining(shared));
    expect(mountsOf("freeswitch")).toContainEqual(["recordings", calls.recordingFolder]);
    const [ours, theirs] = [dockerfileOf(services.msgd as Service), dockerfileOf(services.freeswitch as Service)];
    expect(ours).toContain(`-o 10001 -g 10001 -m 0750 ${speech} `);
    expect(ours).toMatch(new RegExp(`-o 10002 -g 10001 -m 0750 ${calls.callRecordFolder}\\s`));
    expect(theirs).toMatch(/chown 10001:10001 speech && chown 10002:10001 records recordings/);
    expect(theirs).toMatch(/^USER 10002:10001$/m);
  });

  it("calls: FreeSWITCH's tags are closed in order", () => {
    const open: string[] = [];
    for (const [, end, name = "", own] of xml.matchAll(/<(\/?)([\w-]+)(?:\s[^<>]*?)?(\/?)>/g)) {
      if (own === "/") continue;
      if (end === "/") expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
    expect(xml.replaceAll(/<[^<>]*>/g, "").trim()).toBe("");
  });
});

it.skipIf(spawnSync("postconf", ["-h", "mail_version"]).status !== 0)(
  "Postfix accepts its configuration without warnings",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "msgd-postfix-"));
    try {
      for (const name of ["main.cf", "transport"]) writeFileSync(join(folder, name), read(`postfix/${name}`));
      writeFileSync(join(folder, "master.cf"), "");
      const { stdout, stderr, status } = spawnSync("postconf", ["-c", folder, "-n"], { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
      const set = [...read("postfix/main.cf").matchAll(/^(\w+) =/gm)].map(([, name]) => name);
      for (const name of set) expect(stdout).toContain(`${name} =`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

describe("the carrier of texts", () => {
  let child: ChildProcess;
  let port: number;
  const written: string[] = [];
  let carrier: Provider | undefined;
  let told: ProviderEvent[];

  beforeAll(async () => {
    // started as in its container, except for the port
    const [, program = "", script = ""] =
      /^CMD \["(\w+)", "([\w.]+)"\]$/m.exec(dockerfileOf(services.smsc as Service)) ?? [];
    expect(program).toBe("node");
    child = spawn(process.execPath, [script], {
      cwd: dirname(buildOf(services.smsc as Service).dockerfile),
      env: { ...process.env, ...services.smsc?.environment, SMSC_PORT: "0", SMSC_RECEIPT_MS: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (child.stdout === null) throw new Error("the program has no output");
    createInterface({ input: child.stdout }).on("line", (line) => written.push(line));
    await until(() => written.length > 0 || child.exitCode !== null);
    port = Number(/^listening on 127\.0\.0\.1:(\d+)$/.exec(written[0] ?? "")?.[1]);
  });
  afterAll(async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  });
  afterEach(() => carrier?.stop());

  async function open(others: Partial<SmppSettings> = {}): Promise<Provider> {
    told = [];
    carrier = await openSmppCarrier({
      name: "c",
      settings: { ...texts, host: "127.0.0.1", port, ...others },
      clock: createVirtualClock(0),
      logger: { warn: () => {}, error: () => {} },
    });
    carrier.start(async (event) => void told.push(event));
    return carrier;
  }

  async function submit(by: Provider, content: string) {
    for (;;) {
      const outcome = await by.submit(submissionOf({ content, to: "+12025550150" }), unbounded);
      if (outcome.outcome !== "deferred") return outcome;
      await new Promise((resume) => setImmediate(resume));
    }
  }

  it("accepts texts, sends their receipts, and replies STOP once", async () => {
    const by = await open();
    expect(await submit(by, "Your code is 1234. Reply STOP to end.")).toMatchObject({ outcome: "taken" });
    await until(() => told.length === 2);
    expect(told).toMatchObject([
      { kind: "part-receipt", status: "DELIVERED" },
      { kind: "inbound", from: "+12025550150", to: texts.sender, text: "STOP" },
    ]);
    expect(await submit(by, "Reply STOP to end.")).toMatchObject({ outcome: "taken" });
    await until(() => told.length === 3);
    expect(told[2]).toMatchObject({ kind: "part-receipt", status: "DELIVERED" });
    expect(written.filter((line) => line.endsWith(": STOP"))).toHaveLength(1);
  });

  it("refuses a wrong password", async () => {
    await open({ password: "other" });
    await until(() => written.includes("refused a bind by msgd"));
    expect(carrier?.capacity?.()).toBe(0);
  });
});

describe("the README", () => {
  const readme = read("README.md");
  const lines = blocksOf(readme).flatMap(({ language, text }) => (language === "sh" ? text.split("\n") : []));

  it("names existing commands and flags", async () => {
    const program = (name: string) =>
      lines.flatMap((line) => new RegExp(`\\b${name} ([a-z].*)$`).exec(line)?.[1] ?? []);
    const used = [
      ...program("msgd msgd").map((line) => ["bin/msgd", line] as const),
      ...program("npx msgctl").map((line) => ["bin/msgctl", line] as const),
    ];
    expect(used.length).toBeGreaterThan(10);
    const helps = new Map<string, Promise<string>>();
    for (const [path, line] of used) {
      const command = /^[a-z]+ [a-z]+/.exec(line)?.[0] ?? "";
      const args = [join(root, path), ...command.split(" "), "--help"];
      const key = `${path} ${command}`;
      if (!helps.has(key))
        helps.set(
          key,
          promisify(execFile)(process.execPath, args).then(({ stdout }) => stdout),
        );
      const help = (await helps.get(key))?.replaceAll("--[no-]", "--");
      const words = line.replaceAll(/"[^"]*"/g, "").replace(/ #.*/, "");
      for (const [flag] of words.matchAll(/--[a-z-]+/g))
        expect([line, help]).toEqual([line, expect.stringContaining(`${flag} `)]);
    }
  });

  it("names existing files, services and states", () => {
    for (const [, path = ""] of lines.join("\n").matchAll(/\b(examples\/[\w./-]+)/g)) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
    for (const line of lines) {
      const [, name] = /docker compose (?:exec(?: -T)?|logs|stop|start) ([a-z]+)/.exec(line) ?? [];
      if (name !== undefined) expect(Object.keys(services)).toContain(name);
    }
    const table = [...readme.matchAll(/^\| `(\d\d)` \|/gm)].map(([, digits]) => digits);
    const dialled = [...xml.matchAll(/expression="(\d\d)\$"/g)].map(([, digits]) => digits);
    expect(table).toEqual(dialled);
  });

  it("names the modules that FreeSWITCH needs", () => {
    const loaded = [...xml.matchAll(/<load module="(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(readme.match(/\bmod_\w+/g))].sort()).toEqual(loaded.sort());
  });
});
