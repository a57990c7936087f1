/** Tests --verbose and --retries. */
import { describe, expect, it } from "vitest";
import { msgctl, reply, SECRET, service } from "../../testing/world.ts";

const SEND = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100", "--idempotency-key", "k1"];
const problem = { code: "busy", status: 429, title: "Busy.", detail: "Too many requests." };

describe("--verbose", () => {
  it("traces each request, reply and retry on standard error, and shows no secret", async () => {
    const { env, received } = await service((response) => {
      const headers = { "x-request-id": `req_${received.length}`, "retry-after": "0" };
      reply(response, received.length === 1 ? 503 : 200, { parcelId: 7, pin: SECRET }, headers);
    });
    const { exitCode, stdout, stderr } = await msgctl([...SEND, "--pin-file", "-", "-v", "-o", "json"], {
      ...{ env, stdin: SECRET },
    });
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { parcelId: 7, pin: "********" }]);
    const headers = [
      ...["accept: application/json", "user-agent: msgctl", "content-type: application/json", "idempotency-key: k1"],
      ...["x-api-key: ********", "x-api-secret: ********"],
    ].map((header) => `> ${header}`);
    const trace = stderr.replace(/msgctl-sdk\/\S+/g, "msgctl").replace(/\d+ ms/g, "N ms");
    expect(trace.split("\n").slice(0, 17)).toEqual([
      ...[`> POST ${env.MSGCTL_BASE_URL}/depots/north/parcels`, ...headers, "< HTTP 503, request id req_1, N ms"],
      "* HTTP 503. Sending it again in N ms.",
      ...[`> POST ${env.MSGCTL_BASE_URL}/depots/north/parcels (attempt 2)`, ...headers],
      "< HTTP 200, request id req_2, N ms",
    ]);
    for (const secret of [SECRET, "mkt_test_key"]) expect(stdout + stderr).not.toContain(secret);
  });

  it("shows the whole address, and why there was no reply", async () => {
    const { env, received } = await service((response, { url }) => {
      if (received.length === 1 || url === undefined) response.destroy();
      else reply(response, 200, []);
    });
    const argv = ["parcels", "list", "--since", "2026-01-31", "--limit", "2", "--verbose"];
    const { exitCode, stderr } = await msgctl(argv, { env });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`> GET ${env.MSGCTL_BASE_URL}/parcels?limit=2&since=2026-01-31\n`);
    expect(stderr).toMatch(/\n\* GET .*\/parcels got no usable reply: .*\. Sending it again in \d+ ms\.\n/);
  });

  it("escapes control characters of replies", async () => {
    const { env } = await service((response) => reply(response, 200, [], { "x-request-id": "a\u0085[2Jb" }));
    const { stderr } = await msgctl(["parcels", "list", "-v"], { env });
    expect(stderr).toContain("request id a\\u0085[2Jb");
  });

  it("prints no trace unless it is given", async () => {
    const { env } = await service((response) => reply(response, 200, {}));
    expect((await msgctl(SEND, { env })).stderr).toBe("");
  });
});

describe("--retries", () => {
  it.each([
    [["--retries", "0"], 1],
    [["--retries", "4"], 5],
    [[], 3],
  ])("%j makes %i requests if the service answers 429, then exits with 7", async (flags, requests) => {
    const { env, received } = await service((response) => reply(response, 429, problem, { "retry-after": "0" }));
    const ended = await msgctl([...SEND, ...flags], { env });
    expect([ended.exitCode, received.length]).toEqual([7, requests]);
    expect(ended.stderr).toContain("Too many requests. (busy, HTTP 429)");
  });

  it.each(["-1", "1.5", "101", "many"])("refuses %j", async (given) => {
    const { exitCode, stderr } = await msgctl(["parcels", "list", `--retries=${given}`]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--retries: received")]);
    expect(stderr).toContain(`received "${given}"; expected an integer from 0 to 100`);
  });
});
