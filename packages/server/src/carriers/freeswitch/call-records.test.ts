import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readCallRecord } from "./open-freeswitch-carrier.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "msgd-records-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const heard = { answer_epoch: "1772366400", billmsec: "1100", msgd_played: "FILE%20PLAYED" };
const end = { stage: "ENDED", outcome: "HEARD", durationSeconds: 2 };

it.each([
  ["a record", "u.cdr.json", heard],
  ["a record of a first leg", "a_u.cdr.json", heard],
  ["a record with unencoded values", "u.cdr.json", { ...heard, msgd_played: "FILE PLAYED" }],
  ["a record with a value that is not a string", "u.cdr.json", { ...heard, uuid: 7, other: "100%" }],
])("reads the end of a call from %s", async (_what, name, variables) => {
  await writeFile(join(folder, name), JSON.stringify({ "core-uuid": "c", variables }));
  expect(await readCallRecord(folder, "u")).toEqual(end);
});

it("reads from a record that the recipient opted out by a key", async () => {
  const variables = { ...heard, playback_terminator_used: "9" };
  await writeFile(join(folder, "u.cdr.json"), JSON.stringify({ variables }));
  expect(await readCallRecord(folder, "u")).toEqual({ ...end, isOptOut: true });
});

it.each([
  ["no record", undefined],
  ["an incomplete record", '{"variables":{"answer_epoch":"17'],
  ["an empty record", ""],
  ["a record without variables", "{}"],
  ["a record whose variables are not an object", '{"variables":"x"}'],
])("finds no end in %s", async (_what, text) => {
  if (text !== undefined) await writeFile(join(folder, "u.cdr.json"), text);
  expect(await readCallRecord(folder, "u")).toBeUndefined();
});

it("reports a folder that it cannot read", async () => {
  await writeFile(join(folder, "file"), "");
  await expect(readCallRecord(join(folder, "file"), "u")).rejects.toThrow("ENOTDIR");
});
