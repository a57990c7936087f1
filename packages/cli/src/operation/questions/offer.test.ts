/** Tests prompts that offer the service's current values instead of asking for free text. */
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import type { Input, OperationRecord } from "../../model/record.ts";
import { get, list, parcelsWith } from "../../testing/parcels.ts";
import { msgctl, type Received, reply, SECRET, service } from "../../testing/world.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const UP = "\u001b[A";
const CTRL_C = "\u0003";
const parcelId = { ...(get.inputs[0] as Input), complete: "parcelId" };
const completed: OperationRecord = { ...get, inputs: [parcelId] };
const listing: OperationRecord = { ...list, listed: ["parcelId"] };
const catalog = parcelsWith(completed, listing);

type Answer = (response: ServerResponse, request: Received) => void;

/** Asks for the parcel of `parcels get` at a terminal. The service answers the list with `rows`. */
async function talk(rows: Answer | unknown, dialogue: [string, string][], flags: string[] = [], from = catalog) {
  const { env, received } = await service((response, request) => {
    if (request.url !== "/parcels") return reply(response, 200, { parcelId: "p1", status: "TAKEN" });
    if (typeof rows === "function") return rows(response, request);
    reply(response, 200, rows);
  });
  const world = { terminal: 100, dialogue, catalog: from, env: { NO_COLOR: "1", ...env } };
  const ended = await msgctl(["parcels", "get", "-o", "json", ...flags], world);
  return { ...ended, urls: received.map(({ url }) => url) };
}

const rowsOf = (...ids: unknown[]) => ids.map((id) => ({ parcelId: id }));

it("a prompt offers each valid value of the list once", async () => {
  const rows = [...rowsOf(7, "no number", 8, 7, null, { a: 1 }, "9\u001b[2J", 10), "text", null];
  const { exitCode, stderr, urls } = await talk(rows, [["parcel-id", DOWN + ENTER]]);
  expect([exitCode, urls]).toEqual([0, ["/parcels", "/parcels/8"]]);
  expect(stderr).toMatch(/. 7\n {2}8\n {2}10\n {2}another …/);
  expect(stderr).not.toMatch(/no number|2J9/);
});

it("a prompt accepts another value, which it checks as the user types", async () => {
  const { exitCode, urls } = await talk(rowsOf(7, 8), [
    ["parcel-id", DOWN + DOWN + ENTER],
    ["parcel-id another …", ""],
    ["? parcel-id", `x${ENTER}`],
    ["Expected an integer", `\u007f11${ENTER}`],
  ]);
  expect([exitCode, urls]).toEqual([0, ["/parcels", "/parcels/11"]]);
});

it("a prompt offers at most a hundred values", async () => {
  const { exitCode, stderr, urls } = await talk(rowsOf(...Array(500).keys()), [
    // the up key moves from the first choice to the last
    ["parcel-id", UP + UP + ENTER],
  ]);
  expect([exitCode, urls]).toEqual([0, ["/parcels", "/parcels/99"]]);
  expect(stderr).not.toContain(" 100\n");
});

it.each<[string, Answer | unknown]>([
  ["refused", (response: ServerResponse) => reply(response, 403, { code: "denied", title: "Denied." })],
  ["failing", (response: ServerResponse) => reply(response, 503, { code: "down", title: "Down." })],
  ["cut off", (response: ServerResponse) => response.destroy()],
  ["not JSON", (response: ServerResponse) => response.writeHead(200, { "content-type": "text/html" }).end("<p>")],
  ["not a list", { parcelId: 7 }],
  ["empty", []],
  ["without a valid value", rowsOf("x", null)],
])("a prompt silently asks for text instead if the list is %s", async (_, rows) => {
  const { exitCode, stderr, urls } = await talk(rows, [["? parcel-id", `5${ENTER}`]]);
  expect([exitCode, urls]).toEqual([0, ["/parcels", "/parcels/5"]]);
  expect(stderr.split("\n")[0]).toBe("Parcel.");
  expect(stderr).not.toMatch(/error|denied|down|another/i);
});

it("a prompt waits at most a few seconds for the list", async () => {
  const never = () => {};
  const { exitCode, urls } = await talk(never, [["? parcel-id", `5${ENTER}`]]);
  expect([exitCode, urls]).toEqual([0, ["/parcels", "/parcels/5"]]);
});

it("-v shows the request that reads the list, with masked credentials", async () => {
  const { stderr } = await talk(rowsOf(7), [["parcel-id", ENTER]], ["-v"]);
  expect(stderr).toMatch(/> GET \S+\/parcels\n/);
  expect(stderr).not.toContain(SECRET);
});

it.each(["--dry-run", "--curl"])("a prompt reads no list with %s, and nothing is sent", async (flag) => {
  const { exitCode, urls } = await talk(rowsOf(7), [["? parcel-id", `5${ENTER}`]], [flag]);
  expect([exitCode, urls]).toEqual([0, []]);
});

it("a prompt ends on Ctrl-C, and nothing more is sent", async () => {
  const { exitCode, urls } = await talk(rowsOf(7), [["parcel-id", CTRL_C]]);
  expect([exitCode, urls]).toEqual([130, ["/parcels"]]);
});

it("a prompt asks for text if no list has the value, or if reading the list needs another value", async () => {
  const needy = { ...listing, inputs: [{ ...(list.inputs[0] as Input), required: true as const }] };
  for (const other of [needy, list]) {
    const { exitCode, urls } = await talk([], [["? parcel-id", `5${ENTER}`]], [], parcelsWith(completed, other));
    expect([exitCode, urls]).toEqual([0, ["/parcels/5"]]);
  }
});

it("no list is read without a terminal, or if the value was given", async () => {
  const { env, received } = await service((response) => reply(response, 200, rowsOf(7)));
  expect((await msgctl(["parcels", "get"], { env, catalog })).exitCode).toBe(9);
  expect(received).toEqual([]);
  await msgctl(["parcels", "get", "7"], { env, catalog, terminal: 80, dialogue: [] });
  expect(received.map(({ url }) => url)).toEqual(["/parcels/7"]);
});
