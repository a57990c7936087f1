/** Tests values that may be omitted because the service knows them: when they are read, and errors of the read. */
import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Input, OperationRecord } from "../../model/record.ts";
import { get, parcelsWith, send } from "../../testing/parcels.ts";
import { folder, msgctl, reply, SECRET, service, type World } from "../../testing/world.ts";

const PASSWORD = "canary-of-the-depot";
const toll: Input = {
  ...{ name: "toll", in: "body", path: ["toll"], type: "integer", required: true, minimum: 1 },
  ...{ description: "What the road costs.", fill: { operation: "getParcel", field: "road.toll" } },
};
const tolled: OperationRecord = { ...send, inputs: [...send.inputs, toll] };
const road: OperationRecord = { ...get, path: "/road", inputs: [] };
const catalog = parcelsWith(tolled, road);
const LINE = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100"];

/** Runs a line. The service answers the read of the road with `told`. */
async function run(
  argv: readonly string[],
  told: unknown | ((response: ServerResponse) => void) = { road: { toll: 12, password: PASSWORD } },
  world: Partial<World> = {},
) {
  const { env, received } = await service((response, { url }) => {
    if (url !== "/road") return reply(response, 200, { parcelId: "p1", status: "TAKEN" });
    if (typeof told === "function") return told(response);
    reply(response, 200, told);
  });
  const ended = await msgctl(argv, { catalog, ...world, env: { NO_COLOR: "1", ...env, ...world.env } });
  return { ...ended, urls: received.map(({ url }) => url), sent: received.at(-1)?.body ?? "" };
}

const refused = (response: ServerResponse) => reply(response, 403, { code: "denied", title: "Denied." });

describe("an omitted value", () => {
  it("is read, and the rest of the reply is discarded", async () => {
    const { exitCode, stdout, stderr, urls, sent } = await run([...LINE, "-o", "json"]);
    expect([exitCode, urls]).toEqual([0, ["/road", "/depots/north/parcels"]]);
    expect(JSON.parse(sent)).toMatchObject({ kind: "BOX", toll: 12 });
    expect(stdout + stderr + sent).not.toContain(PASSWORD);
  });

  it("shows its read with -v, without the credentials and the reply", async () => {
    const { stderr } = await run([...LINE, "-v"]);
    expect(stderr).toMatch(/> GET \S+\/road\n[\s\S]*< HTTP 200[\s\S]*> POST /);
    expect(stderr).not.toContain(PASSWORD);
    expect(stderr).not.toContain(SECRET);
  });

  it("is read before the questions, and shown in the confirmation", async () => {
    const dialogue: World["dialogue"] = [
      ["phone", "+12025550100\r"],
      ["toll      12", ""],
      ["Go ahead?", "y\r"],
    ];
    const { exitCode, urls } = await run(LINE.slice(0, -2), undefined, { terminal: 100, dialogue });
    expect([exitCode, urls]).toEqual([0, ["/road", "/depots/north/parcels"]]);
    const { exitCode: ended, stderr } = await run(LINE.slice(0, -2), refused, { terminal: 100, dialogue });
    expect([ended, stderr.includes("? phone")]).toEqual([3, false]);
  });

  it("is not read if the line is invalid or lacks another value", async () => {
    const { exitCode, stderr, urls } = await run(LINE.slice(0, -2));
    expect([exitCode, urls]).toEqual([9, []]);
    expect(stderr).toContain("--phone: missing");
    expect(stderr).not.toContain("--toll");
    expect((await run([...LINE, "--weight-grams", "x"])).urls).toEqual([]);
  });

  it("is a placeholder with --dry-run, which reads nothing and says so", async () => {
    const { exitCode, stdout, stderr, urls } = await run([...LINE, "--dry-run", "-o", "json"]);
    expect([exitCode, urls]).toEqual([0, []]);
    expect(JSON.parse(stdout)).toMatchObject({ body: { kind: "BOX", toll: "<toll>" } });
    expect(stderr).toBe("msgctl reads --toll from the service when it sends the request; <toll> is a placeholder.\n");
    expect((await run([...LINE, "--dry-run", "--quiet"])).stderr).toBe("");
  });

  it("is required with --curl, whose output has to run unchanged", async () => {
    const { exitCode, stderr, urls } = await run([...LINE, "--curl"]);
    expect([exitCode, urls]).toEqual([9, []]);
    expect(stderr).toContain("--toll: missing");
    const dialogue: World["dialogue"] = [["? toll", "3\r"]];
    const asked = await run([...LINE, "--curl"], undefined, { terminal: 100, dialogue });
    expect([asked.exitCode, asked.urls]).toEqual([0, []]);
    expect(asked.stdout).toContain('"toll":3');
  });
});

describe("the service", () => {
  it.each([
    ["a flag", ["--toll", "3"]],
    ["--set", ["--set", "toll=3"]],
    ["--body-file", ["--body-file", "body.json"]],
  ])("is not asked for a value that is given by %s", async (_, flags) => {
    const cwd = folder();
    writeFileSync(join(cwd, "body.json"), '{ "toll": 3 }');
    const { exitCode, urls, sent } = await run([...LINE, ...flags], refused, { cwd });
    expect([exitCode, urls]).toEqual([0, ["/depots/north/parcels"]]);
    expect(JSON.parse(sent)).toMatchObject({ kind: "BOX", toll: 3 });
    const dry = await run([...LINE, ...flags, "--dry-run"], refused, { cwd });
    expect([dry.exitCode, dry.stderr]).toEqual([0, ""]);
  });

  it("is asked for the value if the body has only other fields", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "body.json"), '{ "fragile": true }');
    const { exitCode, sent } = await run([...LINE, "--body-file", "body.json"], undefined, { cwd });
    expect([exitCode, JSON.parse(sent)]).toEqual([0, expect.objectContaining({ fragile: true, toll: 12 })]);
  });
});

describe("a failed read", () => {
  const advice = "Give --toll. With a key that may read it, `msgctl parcels get -q road.toll` prints it.";

  it("tells a caller without permission which flag to give", async () => {
    const { exitCode, stderr, urls } = await run([...LINE, "-o", "json"], refused);
    expect([exitCode, urls]).toEqual([3, ["/road"]]);
    expect(JSON.parse(stderr)).toMatchObject({
      code: "denied",
      status: 403,
      message: "--toll is missing, and could not be read from the service: Denied.",
      hints: [advice],
    });
  });

  it.each<[string, (response: ServerResponse) => void, number]>([
    ["an error of the service", (response) => reply(response, 500, { code: "broken", title: "Broken." }), 5],
    ["no answer", (response) => response.destroy(), 6],
  ])("ends the command with the usual exit code: %s", async (_, told, code) => {
    const { exitCode, stderr, urls } = await run([...LINE, "--retries", "0"], told);
    expect([exitCode, urls]).toEqual([code, ["/road"]]);
    expect(stderr).toContain("error: --toll is missing, and could not be read from the service: ");
    expect(stderr).toContain(advice);
  });

  it.each([[{}], [{ road: null }], [{ road: { toll: null } }], [{ road: { toll: {} } }], [{ road: { toll: "dear" } }]])(
    "reports the value as missing for the reply %j",
    async (told) => {
      const { exitCode, stderr, urls } = await run(LINE, told);
      expect([exitCode, urls]).toEqual([9, ["/road"]]);
      expect(stderr).toContain("--toll: missing: the service has no usable value");
      expect(stderr).toContain(advice);
    },
  );
});

it("an input that the service can fill in is optional in the help", async () => {
  const { stdout } = await msgctl(["parcels", "send", "--help"], { catalog });
  const [, optional = ""] = stdout.split("OPTIONAL FLAGS\n");
  expect(optional.replace(/\s+/g, " ")).toContain("If omitted, msgctl reads it from the service; --curl requires it.");
  expect(optional).toContain("--toll integer");
});
