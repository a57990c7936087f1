import { describe, expect, it } from "vitest";
import { openInMemoryService } from "../../testing/in-memory-service.ts";
import { Compilations } from "./ajv.ts";

describe("compilations", () => {
  it("run once, at the first use or in finish", async () => {
    const compilations = new Compilations();
    const made: string[] = [];
    const note = (name: string) => compilations.later(() => made.push(name));
    const [first, second] = [note("first"), note("second")];
    expect(made).toEqual([]);
    expect([second(), second()]).toEqual([1, 1]);
    await compilations.finish();
    expect([first(), made]).toEqual([2, ["second", "first"]]);
  });

  it("that fail are reported by finish", async () => {
    const compilations = new Compilations();
    compilations.later(() => {
      throw new Error("no schema");
    });
    await expect(compilations.finish()).rejects.toThrow("no schema");
  });

  it("succeed for every schema of the contract", async () => {
    const service = await openInMemoryService();
    await expect(service.warmUp()).resolves.toBeUndefined();
    await service.close();
  });
});
