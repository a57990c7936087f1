import { describe, expect, it } from "vitest";
import { createRequestIds } from "./request-log.ts";

describe("request ids", () => {
  const ids = (count: number) => Array.from({ length: count }, createRequestIds());

  it("are all different, within a process and between processes", () => {
    const all = [...ids(5_000), ...ids(5_000)];
    expect(new Set(all).size).toBe(10_000);
    expect(all.filter((id) => !/^req_[0-9A-Za-z]{19}$/.test(id))).toEqual([]);
  });

  it("do not reveal the number of requests in between", () => {
    const all = ids(2_000);
    const characters = all.map((id) => [...id.slice("req_".length)]);
    for (let position = 0; position < 19; position += 1) {
      // in a counter, or a value derived from one, some character would be the same in consecutive ids
      const same = characters.filter((id, index) => id[position] === characters[index - 1]?.[position]);
      expect(same.length, `character ${position + 1}`).toBeLessThan(200);
    }
    const rising = all.filter((id, index) => id > (all[index - 1] ?? "~"));
    expect(Math.abs(rising.length - 1_000)).toBeLessThan(200);
  });
});
