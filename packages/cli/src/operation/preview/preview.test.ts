/** --dry-run and --curl print the request that would be sent, and send nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { folder, msgctl, reply, SECRET, service } from "../../testing/world.ts";

const SEND = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100", "--idempotency-key", "k 1"];
const ADDRESS = ["--base-url", "http://127.0.0.1:1"];

describe("--dry-run", () => {
  it("prints exactly the request that would be sent", async () => {
    const { env, received } = await service((response) => reply(response, 200, {}));
    const argv = [...SEND, "--X-Route", "sea", "--labels", "é\u202e"];
    const ended = await msgctl([...argv, "--dry-run", "-o", "json"], { env });
    expect([ended.exitCode, ended.stderr, received]).toEqual([0, "", []]);
    const { method, url, headers, body } = JSON.parse(ended.stdout);
    await msgctl(argv, { env });
    const [sent] = received;
    expect([method, url]).toEqual([sent?.method, `${env.MSGCTL_BASE_URL}${sent?.url}`]);
    expect(body).toEqual(JSON.parse(sent?.body ?? ""));
    // Node.js adds headers about the connection, which are not part of the request
    const { host: _, connection: __, "content-length": ___, ...ours } = sent?.headers ?? {};
    expect({ ...headers, "x-api-key": "", "x-api-secret": "" }).toEqual({
      ...ours,
      "x-api-key": "",
      "x-api-secret": "",
    });
    expect([headers["x-api-key"], headers["x-api-secret"]]).toEqual(["********", "********"]);
  });

  it("prints a readable request, and needs neither a credential nor a server", async () => {
    const ended = await msgctl([...SEND, ...ADDRESS, "--dry-run", "--labels", "\u202e"]);
    expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout.replace(/user-agent: .*\n/, "")).toBe(
      [
        "POST http://127.0.0.1:1/depots/north/parcels",
        ...["accept: application/json", "content-type: application/json", "idempotency-key: k 1"],
        ...["x-api-key: ********", "x-api-secret: ********", "", "{", '  "kind": "BOX",', '  "contact": {'],
        ...['    "phone": "+12025550100"', "  },", '  "labels": [', '    "\\u202e"', "  ]", "}", ""],
      ].join("\n"),
    );
  });

  it.each(["table", "json"])("does not round integers with -o %s", async (format) => {
    const set = ["api", "POST", "/api/v1/anything", "--body-file", "-", ...ADDRESS, "--dry-run", "-o", format];
    const ended = await msgctl(set, { catalog, stdin: '{"big":9223372036854775807}' });
    expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringContaining("9223372036854775807")]);
  });

  it("says that no address is configured, and shows a request without a body", async () => {
    const argv = ["parcels", "list", "--limit", "2", "--dry-run"];
    const ended = await msgctl(argv);
    expect(ended.stdout).toMatch(/^GET \$MSGCTL_BASE_URL\/parcels\?limit=2\naccept: application\/json\n(.+\n)+$/);
    expect(ended.stderr).toBe("No address is configured; $MSGCTL_BASE_URL is a placeholder.\n");
    expect((await msgctl([...argv, "--quiet"])).stderr).toBe("");
    expect(JSON.parse((await msgctl([...argv, "-o", "json"])).stdout)).toMatchObject({ body: null, method: "GET" });
    const env = { MSGCTL_BASE_URL: "http://127.0.0.1:2", MSGCTL_API_KEY: "half" };
    expect((await msgctl(argv, { env })).stdout).toContain("GET http://127.0.0.1:2/parcels");
  });

  it("asks for no confirmation, since nothing is sent", async () => {
    const { exitCode, stderr } = await msgctl([...SEND, ...ADDRESS, "--dry-run"], { terminal: 80 });
    expect([exitCode, stderr]).toEqual([0, ""]);
  });

  it.each([
    [["--labels", "pieces"], 2, "expected at most 5 characters"],
    [["--profile", "nobody"], 3, "there is no profile"],
  ])("still refuses %j", async (flags, exitCode, said) => {
    const ended = await msgctl([...SEND, ...flags, "--dry-run"]);
    expect(ended).toMatchObject({ exitCode, stdout: "", stderr: expect.stringContaining(said) });
  });

  it("masks a secret of the body unless --show-secrets is given", async () => {
    const argv = [...SEND, ...ADDRESS, "--pin-file", "-", "--dry-run"];
    for (const format of ["table", "json"]) {
      const masked = await msgctl([...argv, "-o", format], { stdin: SECRET });
      expect(masked.stdout + masked.stderr).not.toContain(SECRET);
      expect(masked.stdout).toContain('"pin": "********"');
      const shown = await msgctl([...argv, "-o", format, "--show-secrets"], { stdin: SECRET });
      expect(shown.stdout).toContain(`"pin": "${SECRET}"`);
      expect(shown.stdout).toMatch(/x-api-secret"?: "?\*{8}/);
    }
  });
});

describe("--curl", () => {
  it("prints a command that is quoted for a shell and reads the credential from the environment", async () => {
    const env = { MSGCTL_API_KEY: "mkt_test_key", MSGCTL_API_SECRET: SECRET };
    const ended = await msgctl([...SEND, ...ADDRESS, "--labels", "it's", "--labels", "$(x)", "--curl"], { env });
    expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toBe(
      [
        "curl --silent --show-error --globoff --request POST 'http://127.0.0.1:1/depots/north/parcels' \\",
        "  -H 'accept: application/json' \\",
        "  -H 'content-type: application/json' \\",
        "  -H 'idempotency-key: k 1' \\",
        '  -H "X-API-KEY: $MSGCTL_API_KEY" \\',
        '  -H "X-API-SECRET: $MSGCTL_API_SECRET" \\',
        `  --data-binary '{"kind":"BOX","contact":{"phone":"+12025550100"},"labels":["it'\\''s","$(x)"]}'`,
        "",
      ].join("\n"),
    );
    const json = await msgctl([...SEND, ...ADDRESS, "--curl", "-o", "json"], { env });
    expect(JSON.parse(json.stdout)).toEqual({ curl: expect.stringMatching(/^curl .*idempotency-key: k 1/s) });
  });

  it("prints a command that also reads an unconfigured address from the environment, and names missing variables", async () => {
    const ended = await msgctl(["parcels", "list", "--limit", "2", "--curl"]);
    expect(ended.stdout).toContain(`--request GET "$MSGCTL_BASE_URL"'/parcels?limit=2' \\\n`);
    const variables = "MSGCTL_BASE_URL, MSGCTL_API_KEY, MSGCTL_API_SECRET";
    expect(ended.stderr).toBe(`The command needs ${variables} in its environment.\n`);
  });

  it("never prints a credential that is kept in a file", async () => {
    const cwd = folder();
    const [path, credentials] = [join(cwd, ".config", "msgctl"), { prod: { apiKey: "canary-key", apiSecret: SECRET } }];
    mkdirSync(path, { recursive: true, mode: 0o700 });
    writeFileSync(join(path, "config.json"), '{"profiles":{"prod":{"baseUrl":"https://api.example.com"}}}');
    writeFileSync(join(path, "credentials.json"), JSON.stringify(credentials), { mode: 0o600 });
    for (const flag of ["--curl", "--dry-run"]) {
      const { exitCode, stdout, stderr } = await msgctl([...SEND, "--profile", "prod", flag], { cwd });
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining("https://api.example.com/depots")]);
      for (const secret of ["canary-key", SECRET]) expect(stdout + stderr).not.toContain(secret);
    }
  });

  it("refuses to print a secret of the body unless --show-secrets is given", async () => {
    const argv = [...SEND, ...ADDRESS, "--pin-file", "-", "--curl"];
    const refused = await msgctl(argv, { stdin: SECRET });
    expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("--curl: the command would show the secret of --pin-file");
    expect(refused.stderr).not.toContain(SECRET);
    expect((await msgctl([...argv, "--show-secrets"], { stdin: SECRET })).stdout).toContain(SECRET);
  });
});
