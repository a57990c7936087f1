import { describe, expect, it } from "vitest";
import { listWaitFlags } from "./wait-flags.ts";
import { readWait, readWaitTimeout } from "./wait-options.ts";

describe("the flags of a wait", () => {
  const recipe = { operation: "getParcel", from: "parcelId", field: "status", until: ["ARRIVED"], failed: [] };

  it("exist only for a record with a wait recipe", () => {
    expect(listWaitFlags({ wait: recipe }).map(({ flags }) => flags)).toEqual(["--wait", "--wait-timeout <seconds>"]);
    expect(listWaitFlags({})).toEqual([]);
  });

  it.each<[Record<string, unknown>, number | undefined, string[]]>([
    [{}, undefined, []],
    [{ wait: true }, 1_800_000, []],
    [{ wait: true, waitTimeout: "0.5" }, 500, []],
    [{ wait: true, waitTimeout: "604800" }, 604_800_000, []],
    [{ waitTimeout: "5" }, undefined, ["limits a wait; also give --wait"]],
  ])("are read and checked: %j", (flags, timeoutMs, messages) => {
    const { wait, faults } = readWait(flags, { wait: recipe });
    expect(wait).toEqual(timeoutMs === undefined ? undefined : { recipe, timeoutMs });
    expect(faults.map(({ message }) => message)).toEqual(messages);
  });

  it.each([["0"], ["-1"], ["604801"], ["1h"], [""]])("refuse %j seconds", (text) => {
    const faults: { where: string; message: string }[] = [];
    readWaitTimeout(text, faults);
    const message = `received ${JSON.stringify(text)}; expected seconds, more than 0 and at most 604800`;
    expect(faults).toEqual([{ where: "--wait-timeout", message }]);
  });
});
