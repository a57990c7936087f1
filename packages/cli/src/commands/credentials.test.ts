import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withChecksum } from "../call/access/credential-form.ts";
import { catalog } from "../catalog.ts";
import { FakeKeychain } from "../testing/fake-keychain.ts";
import { type Ended, folder, msgctl, reply, service, type World } from "../testing/world.ts";

// keep tests away from the developer's keychain
const keychain = new FakeKeychain();
beforeEach(() => {
  keychain.install();
  keychain.reset("missing");
});
afterEach(() => vi.restoreAllMocks());

const KEY = withChecksum("mkt_test_canary00000000000000a0");
const SECRET = withChecksum("mks_canary0000000000000000000000000000000000");
const SHOWN_KEY = `${KEY.slice(0, 13)}…`;
const prod = ["--profile", "prod", "--base-url", "https://prod.example"];

/** Creates a separate home, with functions to run commands there and to read all files that they wrote. */
function home() {
  const cwd = folder();
  const path = join(cwd, ".config", "msgctl");
  const written: string[] = [];
  writeFileSync(join(cwd, "secret.txt"), `${SECRET}\n`);
  const run = async (argv: readonly string[], world: Partial<World> = {}): Promise<Ended> => {
    const ended = await msgctl(argv, { catalog, ...world, cwd });
    written.push(ended.stdout, ended.stderr);
    for (const text of written) for (const secret of [KEY, SECRET]) expect(text).not.toContain(secret);
    return ended;
  };
  const credential = { "--api-key": KEY, "--api-secret-file": "secret.txt" };
  const login = (...more: string[]) => {
    const others = Object.entries(credential).filter(([flag]) => !more.includes(flag));
    return run(["auth", "login", ...others.flat(), ...more, "-o", "json"]);
  };
  const read = (name: string) => JSON.parse(readFileSync(join(path, name), "utf8"));
  return { cwd, path, run, login, read };
}

/** Starts a service that accepts one credential. */
function accepting() {
  return service((response, { headers }) => {
    const isKnown = JSON.stringify(headers).includes(SECRET);
    if (isKnown) reply(response, 200, []);
    else reply(response, 401, { type: "about:blank", title: "No", status: 401, code: "credentials_invalid" });
  });
}

const json = ({ exitCode, stdout, stderr }: Ended) => ({
  exitCode,
  stderr,
  data: stdout === "" ? null : JSON.parse(stdout),
});

describe("auth login", () => {
  it.each(["flag", "environment", "answer"])("stores the address of a %s without /api/v1", async (source) => {
    const { run, read } = home();
    const address = "https://prod.example/api/v1/";
    const credential = ["--api-key", KEY, "--api-secret-file", "secret.txt", "--no-check"];
    const given = source === "flag" ? ["--base-url", address] : [];
    const { exitCode, stderr } = await run(["auth", "login", ...credential, ...given], {
      ...(source === "environment" && { env: { MSGCTL_BASE_URL: address } }),
      ...(source === "answer" && { terminal: 80, dialogue: [["Address of the service", `${address}\r`]] }),
    });
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    expect(read("config.json").profiles.default.baseUrl).toBe("https://prod.example");
    const again = await run(["auth", "login", ...credential], { env: { MSGCTL_BASE_URL: `${address}api/v1` } });
    expect(again.exitCode).toBe(0);
  });

  it("checks the credential with a read, then stores the secret separately from the settings", async () => {
    const { baseUrl, received } = await accepting();
    const { login, read, path, run } = home();
    const { exitCode, data } = json(await login("--profile", "prod", "--base-url", baseUrl));
    expect([exitCode, data]).toEqual([
      0,
      {
        ...{ profile: "prod", baseUrl, apiKey: SHOWN_KEY, checked: true, store: "file" },
        location: join(path, "credentials.json"),
      },
    ]);
    expect(received.map(({ method }) => method)).toEqual(["GET"]);
    expect(read("config.json")).toEqual({ current: "prod", profiles: { prod: { baseUrl, store: "file" } } });
    expect(read("credentials.json")).toEqual({ prod: { apiKey: KEY, apiSecret: SECRET } });
    if (process.platform !== "win32") {
      const modes = [path, join(path, "credentials.json")].map((name) => statSync(name).mode & 0o777);
      expect(modes).toEqual([0o700, 0o600]);
    }
    expect((await run(["alerts", "list"])).exitCode).toBe(0);
  });

  it("takes the secret from standard input", async () => {
    const { run, read } = home();
    // pasted with spaces around it
    const argv = ["auth", "login", ...prod, "--api-key", ` ${KEY} `, "--api-secret-file", "-", "--no-check"];
    expect((await run(argv, { stdin: `${SECRET}\r\n` })).exitCode).toBe(0);
    expect(read("credentials.json").prod.apiSecret).toBe(SECRET);
  });

  it("asks for missing values on a terminal, and shows nothing of the secret", async () => {
    const { cwd, read } = home();
    const dialogue = [
      ["Address", "https://prod.example\r"],
      ["API key", `${KEY}\r`],
      ["API secret", `${SECRET}\r`],
    ] as const;
    const ended = await msgctl(["auth", "login", "--no-check"], { catalog, cwd, terminal: 200, dialogue });
    expect([ended.exitCode, ended.stderr.includes(SECRET)]).toEqual([0, false]);
    expect(read("credentials.json")).toEqual({ default: { apiKey: KEY, apiSecret: SECRET } });
  });

  it("names all missing values if nobody can be asked", async () => {
    const { exitCode, stdout, stderr } = await home().run(["auth", "login"]);
    expect([exitCode, stdout]).toEqual([9, ""]);
    for (const flag of ["--base-url", "--api-key", "--api-secret-file"]) expect(stderr).toContain(`${flag}: missing:`);
  });

  it.each<[string, string[], number, string]>([
    [
      "a mistyped key",
      [...prod, "--api-key", `${KEY.slice(0, -1)}!`],
      2,
      "--api-key: received a value that is not shown",
    ],
    ["a secret in the place of the key", [...prod, "--api-key", SECRET], 2, "--api-key: received a secret"],
    ["a mistyped secret", [...prod, "--api-secret-file", "wrong.txt"], 2, "--api-secret-file: received a value"],
    ["a secret in the place of its file", [...prod, "--api-secret-file", SECRET], 2, "the file cannot be read"],
    ["an invalid address", ["--base-url", "prod.example"], 2, "--base-url: expected an http or https URL"],
    ["the name of the demo server", ["--profile", "demo"], 2, "--profile: demo always means the demo server"],
    ["an invalid name", ["--profile", "__proto__"], 2, '--profile: received "__proto__"; expected up to 64'],
    ["a flag with the secret itself", [...prod, "--api-secret", SECRET], 2, "unknown option '--api-secret'"],
    ["no address", [], 9, "--base-url: missing"],
  ])("refuses %s before anything is sent or stored", async (_, argv, exitCode, said) => {
    const { login, cwd, read } = home();
    writeFileSync(join(cwd, "wrong.txt"), SECRET.toLowerCase());
    const ended = await login(...argv);
    expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
    const { message, errors, hints } = JSON.parse(ended.stderr);
    const told = errors.map(({ where, message }: { where: string; message: string }) => `${where}: ${message}`);
    expect([message, ...told, ...hints].join("\n")).toContain(said);
    expect(() => read("credentials.json")).toThrow("ENOENT");
  });

  it("stores no credential that the service refuses", async () => {
    const { baseUrl } = await service((response) => reply(response, 401, { status: 401, code: "credentials_invalid" }));
    const { login, read } = home();
    const { exitCode, stdout, stderr } = await login("--base-url", baseUrl);
    expect([exitCode, stdout, JSON.parse(stderr).code]).toEqual([3, "", "credentials_invalid"]);
    expect(() => read("credentials.json")).toThrow("ENOENT");
  });

  it("replaces the credential of another service only if --profile names its profile", async () => {
    const { login, read } = home();
    await login(...prod, "--no-check");
    const refused = await login("--base-url", "https://other.example", "--no-check");
    expect([refused.exitCode, JSON.parse(refused.stderr).message]).toEqual([
      2,
      expect.stringContaining("another service address"),
    ]);
    expect((await login("--no-check")).exitCode).toBe(0);
    const moved = ["--profile", "prod", "--base-url", "https://other.example", "--no-check"];
    expect((await login(...moved)).exitCode).toBe(0);
    expect(read("config.json").profiles).toEqual({ prod: { baseUrl: "https://other.example", store: "file" } });
  });

  it("warns about variables that take precedence, and about an address without TLS", async () => {
    const { run } = home();
    const argv = ["auth", "login", "--api-key", KEY, "--api-secret-file", "secret.txt", "--no-check"];
    const env = { MSGCTL_API_KEY: "k", MSGCTL_API_SECRET: "s" };
    const { stderr } = await run([...argv, "--base-url", "http://plain.example"], { env });
    expect(stderr).toContain("Profile default is the current one.");
    expect(stderr).toContain("is set, and overrides the current profile");
    expect(stderr).toContain("others on the network can read");
  });
});

describe("auth status", () => {
  const argv = ["auth", "status", "-o", "json"];

  it("says which credential is in use, and whether it is accepted", async () => {
    const { baseUrl } = await accepting();
    const { login, run, path } = home();
    await login("--profile", "prod", "--base-url", baseUrl);
    const location = join(path, "credentials.json");
    const kept = { profile: "prod", store: "file", location, apiKey: SHOWN_KEY, baseUrl };
    const expected = { ...kept, source: "profile", accepted: true };
    expect(json(await run(argv))).toEqual({ exitCode: 0, stderr: "", data: expected });
    const named = json(await run([...argv, "--profile", "prod", "--no-check"]));
    expect(named.data).toEqual({ ...kept, source: "flag", accepted: null });
    const shown = await run(["auth", "status"]);
    expect(shown.stdout).toMatch(/^profile +prod\nsource +profile\nstore +file\n/);
  });

  it("distinguishes the credentials of a profile, of the environment and of the demo server", async () => {
    const { run, cwd } = home();
    const env = { MSGCTL_API_KEY: KEY, MSGCTL_API_SECRET: SECRET, MSGCTL_BASE_URL: "https://env.example" };
    expect(json(await run([...argv, "--no-check"], { env })).data).toMatchObject({
      ...{ profile: null, source: "environment", store: "environment", baseUrl: "https://env.example" },
    });
    mkdirSync(join(cwd, ".msgd"), { mode: 0o700 });
    const demo = { baseUrl: "http://127.0.0.1:1", apiKey: KEY, apiSecret: SECRET };
    writeFileSync(join(cwd, ".msgd", "demo-credential.json"), JSON.stringify(demo), { mode: 0o600 });
    expect(json(await run([...argv, "--no-check"])).data).toMatchObject({ profile: "demo", source: "demo" });
  });

  it.each<[string, number, number, boolean | null]>([
    ["refuses it", 401, 3, false],
    ["fails", 500, 5, null],
  ])(
    "prints the credential if the service %s, and exits with the code of that error",
    async (_, status, exitCode, accepted) => {
      const { baseUrl } = await service((response) => reply(response, status, { status, code: "x" }));
      const { login, run } = home();
      await login("--base-url", baseUrl, "--no-check");
      const ended = await run([...argv, "--timeout", "20", "--retries", "0"]);
      expect([ended.exitCode, JSON.parse(ended.stdout).accepted]).toEqual([exitCode, accepted]);
      expect(JSON.parse(ended.stderr).exitCode).toBe(exitCode);
    },
  );

  it("exits with 3 if nothing is configured", async () => {
    const { exitCode, stdout, stderr } = await home().run(argv);
    expect([exitCode, stdout, JSON.parse(stderr).code]).toEqual([3, "", "credentials_missing"]);
    expect(stderr).toContain("msgctl auth login");
  });

  it.skipIf(process.platform === "win32")(
    "refuses a file that others can read, and says how to correct it",
    async () => {
      const { login, run, path } = home();
      await login(...prod, "--no-check");
      chmodSync(join(path, "credentials.json"), 0o644);
      const { exitCode, stderr } = await run(["auth", "status"]);
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining("chmod 600")]);
    },
  );
});

describe("profiles", () => {
  it("can be listed, switched and logged out; their settings stay until --forget", async () => {
    const { login, run, read } = home();
    await login(...prod, "--no-check");
    await login("--profile", "test", "--base-url", "https://test.example", "--no-check");
    const list = async () => json(await run(["auth", "list", "-o", "json"])).data;
    expect(await list()).toEqual([
      { profile: "prod", current: false, baseUrl: "https://prod.example", credential: true, store: "file" },
      { profile: "test", current: true, baseUrl: "https://test.example", credential: true, store: "file" },
    ]);
    expect((await run(["auth", "switch", "prod"])).exitCode).toBe(0);
    expect(json(await run(["auth", "logout", "-o", "json"]))).toEqual({
      ...{ exitCode: 0, stderr: "", data: { profile: "prod", removed: true, forgotten: false } },
    });
    expect((await list())[0]).toEqual({
      ...{ profile: "prod", current: true, baseUrl: "https://prod.example", credential: false, store: null },
    });
    expect(Object.keys(read("credentials.json"))).toEqual(["test"]);
    const after = await run(["alerts", "list"]);
    expect([after.exitCode, after.stderr]).toEqual([3, expect.stringContaining("`msgctl auth login --profile prod`")]);
    expect((await run(["auth", "logout"])).stderr).toContain("There was no credential to remove.");
    await run(["auth", "logout", "--forget"]);
    expect(read("config.json")).toEqual({ profiles: { test: { baseUrl: "https://test.example", store: "file" } } });
  });

  it.each([
    [["auth", "switch", "prd"], 3, "did you mean prod?"],
    [["auth", "switch"], 9, "<profile>: missing"],
    [["auth", "logout", "--profile", "prd"], 3, "did you mean prod?"],
    [["auth", "logout", "--profile", "demo"], 2, "the profile demo uses the demo server's own credential"],
    [["config", "list", "--profile", "prd"], 3, "did you mean prod?"],
    [["config", "list", "--profile", "demo"], 2, "demo has no settings"],
  ])("refuses %j", async (argv, exitCode, said) => {
    const { login, run } = home();
    await login(...prod, "--no-check");
    const ended = await run(argv);
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([exitCode, "", expect.stringContaining(said)]);
  });

  it.each([[["auth", "logout"]], [["config", "get", "output"]]])("are required by %j", async (argv) => {
    const { exitCode, stderr } = await home().run(argv);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining("no current profile is set")]);
  });
});

describe("a keychain", () => {
  const inFile = (path: string) => readFileSync(join(path, "credentials.json"), "utf8");
  const entry = (path: string) => [[`prod of ${path}`, JSON.stringify({ apiKey: KEY, apiSecret: SECRET })]];

  it("stores a new credential if it works, and every command then reads it", async () => {
    keychain.reset("present");
    const { baseUrl } = await accepting();
    const { login, run, read, path } = home();
    const { exitCode, data, stderr } = json(await login("--profile", "prod", "--base-url", baseUrl));
    const kept = { profile: "prod", baseUrl, apiKey: SHOWN_KEY, store: "keychain", location: "Invented Keychain" };
    expect([exitCode, data]).toEqual([0, { ...kept, checked: true }]);
    expect(stderr).toContain("The credential is in the keychain (Invented Keychain).");
    expect(read("config.json").profiles).toEqual({ prod: { baseUrl, store: "keychain" } });
    expect([...keychain.entries]).toEqual(entry(path));
    expect(() => inFile(path)).toThrow("ENOENT");
    expect((await run(["alerts", "list"])).exitCode).toBe(0);
    const status = json(await run(["auth", "status", "-o", "json"]));
    expect(status.data).toEqual({ ...kept, source: "profile", accepted: true });
    expect((await run(["doctor"])).stdout).toContain("profile prod in Invented Keychain");
    keychain.loads = 0;
    expect(json(await run(["auth", "list", "-o", "json"])).data).toEqual([
      { profile: "prod", current: true, baseUrl, credential: true, store: "keychain" },
    ]);
    await run(["auth", "switch", "prod"]);
    expect(keychain.loads).toBe(0);
    expect(json(await run(["auth", "logout", "-o", "json"])).data).toMatchObject({ removed: true });
    expect([...keychain.entries, read("config.json").profiles]).toEqual([{ prod: { baseUrl } }]);
  });

  it("is not loaded for a credential in a file", async () => {
    keychain.reset("present");
    const { baseUrl } = await accepting();
    const { login, run } = home();
    expect(json(await login("--base-url", baseUrl, "--store", "file")).data).toMatchObject({ store: "file" });
    expect((await run(["alerts", "list"])).exitCode).toBe(0);
    expect(json(await login()).data).toMatchObject({ store: "file" });
    await run(["auth", "logout"]);
    expect([keychain.loads, keychain.entries.size]).toEqual([0, 0]);
  });

  it("takes a credential from the file and gives it back, leaving no copy in the old store", async () => {
    keychain.reset("present");
    const { login, path } = home();
    await login(...prod, "--no-check", "--store", "file");
    await login(...prod, "--no-check", "--store", "keychain");
    expect([JSON.parse(inFile(path)), [...keychain.entries]]).toEqual([{}, entry(path)]);
    await login(...prod, "--no-check");
    expect(keychain.entries.size).toBe(1);
    await login(...prod, "--no-check", "--store", "file");
    expect([Object.keys(JSON.parse(inFile(path))), keychain.entries.size]).toEqual([["prod"], 0]);
  });

  it.each([
    ["missing", "it is not installed"],
    ["locked", "it is locked"],
  ] as const)("that is %s makes auth login use the file, unless --store keychain was given", async (state, reason) => {
    keychain.reset(state);
    const { login, path } = home();
    const refused = await login(...prod, "--no-check", "--store", "keychain");
    expect([refused.exitCode, JSON.parse(refused.stderr).code]).toEqual([3, "keychain_unavailable"]);
    expect(JSON.parse(refused.stderr).message).toContain(`${reason}; nothing was stored`);
    expect(() => inFile(path)).toThrow("ENOENT");
    const { exitCode, data, stderr } = json(await login(...prod, "--no-check"));
    expect([exitCode, data.store]).toEqual([0, "file"]);
    expect(stderr).toMatch(
      /^Profile prod is the current one\.\nNo keychain can be used here \(--store keychain says why\): the credential is in \S+credentials\.json, which only you can read\.\n$/,
    );
  });

  it.each<[string, () => void, string, string]>([
    ["has lost the entry", () => keychain.entries.clear(), "credentials_missing", "msgctl auth login --profile prod"],
    ["has another's entry", () => change("[]"), "credentials_missing", "msgctl auth login --profile prod"],
    ["is locked", () => turn("locked"), "keychain_unavailable", "Unlock the keychain"],
    ["is gone", () => turn("missing"), "keychain_unavailable", "optional dependencies"],
  ])("that %s is reported, with the command to run next", async (_, harm, code, hint) => {
    keychain.reset("present");
    const { login, run } = home();
    await login(...prod, "--no-check");
    harm();
    for (const argv of [
      ["alerts", "list"],
      ["auth", "status"],
    ]) {
      const failure = await run([...argv, "-o", "json"]);
      const { code: found, hints } = JSON.parse(failure.stderr);
      expect([failure.exitCode, found, hints.join()]).toEqual([3, code, expect.stringContaining(hint)]);
    }
    expect((await run(["doctor"])).stdout).toMatch(/fail +credential source .*Invented Keychain/);
    expect(json(await login(...prod, "--no-check", "--store", "file")).data.store).toBe("file");
  });

  function turn(state: typeof keychain.state): void {
    keychain.state = state;
  }

  function change(text: string): void {
    for (const account of keychain.entries.keys()) keychain.entries.set(account, text);
  }

  it("that is locked makes a logout fail, but --forget works and prints a remark", async () => {
    keychain.reset("present");
    const { login, run, read } = home();
    await login(...prod, "--no-check");
    keychain.state = "locked";
    expect(await run(["auth", "logout"])).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("is locked") });
    const { exitCode, stderr } = await run(["auth", "logout", "--forget"]);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("A copy may be left: the keychain")]);
    expect(read("config.json")).toEqual({ profiles: {} });
  });
});

describe("settings", () => {
  it("are the defaults of flags; flags and variables take precedence", async () => {
    const { baseUrl } = await accepting();
    const { login, run } = home();
    await login("--base-url", baseUrl);
    expect((await run(["config", "set", "output", "json"])).exitCode).toBe(0);
    expect((await run(["alerts", "list"])).stdout).toBe("[]\n");
    expect((await run(["alerts", "list", "-o", "table"])).stdout).toBe("");
    expect((await run(["alerts", "list"], { env: { MSGCTL_OUTPUT: "table" } })).stdout).toBe("");
    for (const argv of [[], ["--profile", "default"], ["--profile=default"]])
      expect(JSON.parse((await run(["alerts", "lst", ...argv])).stderr)).toMatchObject({ code: "usage", exitCode: 2 });
    expect((await run(["alerts", "lst", "-o", "table"])).stderr).toMatch(/^error: /);
    await run(["config", "set", "output", ""]);
    expect((await run(["alerts", "list"])).stdout).toBe("");
  });

  it("can be read, set, listed and removed", async () => {
    const { login, run, read } = home();
    await login(...prod, "--no-check");
    const set = json(await run(["config", "set", "timeout", "120", "-o", "json"]));
    expect(set).toEqual({ exitCode: 0, stderr: "", data: { profile: "prod", key: "timeout", value: "120" } });
    expect(await run(["config", "get", "timeout"])).toEqual({ exitCode: 0, stdout: "120\n", stderr: "" });
    const { data } = json(await run(["config", "list", "-o", "json"]));
    expect(data.map(({ key, value }: { key: string; value: unknown }) => [key, value])).toEqual([
      ["baseUrl", "https://prod.example"],
      ["output", null],
      ["timeout", "120"],
      ["retries", null],
    ]);
    await run(["config", "set", "timeout", ""]);
    expect(read("config.json").profiles.prod).toEqual({ baseUrl: "https://prod.example", store: "file" });
    expect(await run(["config", "get", "timeout"])).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "timeout is not set.\n",
    });
    expect((await run(["config", "get", "timeout", "-o", "json"])).stdout).toBe("null\n");
  });

  it("store an address without /api/v1", async () => {
    const { login, run, read } = home();
    await login(...prod, "--no-check");
    const set = json(await run(["config", "set", "baseUrl", "https://new.example/api/v1", "-o", "json"]));
    expect(set.data).toMatchObject({ value: "https://new.example" });
    expect(read("config.json").profiles.prod.baseUrl).toBe("https://new.example");
  });

  it.each([
    [["config", "get", "outptu"], "did you mean output?"],
    [["config", "set", "timout", "3"], "did you mean timeout?"],
    [["config", "set", "apiSecret", SECRET], "to store a credential, run msgctl auth login"],
    [["config", "set", "timeout", "0"], '<value>: received "0"; expected seconds'],
    [["config", "set", "output", "jsn"], "did you mean json?"],
    [["config", "set", "retries", "many"], '<value>: received "many"'],
    [["config", "set", "baseUrl", `https://a:${SECRET}@b.example`], "<value>: expected an http or https URL"],
  ])("refuses %j", async (argv, said) => {
    const { login, run, read } = home();
    await login(...prod, "--no-check");
    const { exitCode, stdout, stderr } = await run(argv);
    expect([exitCode, stdout, stderr]).toEqual([2, "", expect.stringContaining(said)]);
    expect(read("config.json").profiles.prod).toEqual({ baseUrl: "https://prod.example", store: "file" });
  });

  it("that were written by hand and are invalid are reported by name", async () => {
    const { login, run, path, read } = home();
    await login(...prod, "--no-check");
    const config = read("config.json");
    config.profiles.prod.timeout = "soon";
    writeFileSync(join(path, "config.json"), JSON.stringify(config));
    const { exitCode, stderr } = await run(["alerts", "list"]);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining("setting timeout of profile prod")]);
    expect((await run(["config", "set", "timeout", "5"])).exitCode).toBe(0);
  });
});
