import { describe, expect, it } from "vitest";
import { createNewcomers } from "./newcomers.ts";

describe("newcomers", () => {
  it("are returned once, oldest first; equal entries are returned as often as they occur", () => {
    const newcomers = createNewcomers();
    const alert = (id: number) => ({ message: `alert ${id}` });
    expect(newcomers.take([alert(2), alert(1)])).toEqual([alert(1), alert(2)]);
    expect(newcomers.take([alert(2), alert(1)])).toEqual([]);
    expect(newcomers.take([alert(3), alert(2), alert(2), alert(1)])).toEqual([alert(2), alert(3)]);
    expect(newcomers.take([])).toEqual([]);
    expect(newcomers.take([alert(1)])).toEqual([alert(1)]);
  });
});
