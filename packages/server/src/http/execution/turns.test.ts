import { describe, expect, it } from "vitest";
import { Turns } from "./turns.ts";

const [acme, globex, initech] = [1, 2, 3];

/** Has pieces of work done, and notes each as it begins. */
function open() {
  const turns = new Turns();
  const begun: string[] = [];
  let isUnderWay = false;
  const take = (name: string, tenantId?: number) =>
    turns.take(async () => {
      expect(isUnderWay).toBe(false);
      isUnderWay = true;
      begun.push(name);
      await Promise.resolve();
      isUnderWay = false;
      return name;
    }, tenantId);
  return { turns, begun, take };
}

describe("turns", () => {
  it("do one piece of work after the other, in the order in which they came", async () => {
    const { begun, take } = open();
    expect(await Promise.all([take("one"), take("two"), take("three")])).toEqual(["one", "two", "three"]);
    expect(await take("four")).toBe("four");
    expect(begun).toEqual(["one", "two", "three", "four"]);
  });

  it("go on after a piece that fails, at once or later", async () => {
    const { turns, take } = open();
    const failing = [
      turns.take(() => Promise.reject(new Error("later"))),
      turns.take(() => {
        throw new Error("at once");
      }),
    ];
    const next = take("next");
    expect(await Promise.allSettled(failing)).toMatchObject([
      { reason: { message: "later" } },
      { reason: { message: "at once" } },
    ]);
    expect(await next).toBe("next");
  });

  it("go round the tenants, however much one of them asks for", async () => {
    const { begun, take } = open();
    const all = ["a1", "a2", "a3", "a4"].map((name) => take(name, acme));
    all.push(take("g1", globex), take("g2", globex), take("i1", initech));
    await Promise.all(all);
    expect(begun).toEqual(["a1", "g1", "i1", "a2", "g2", "a3", "a4"]);
  });

  it("come as often to a tenant that asks again only after each", async () => {
    const { begun, take } = open();
    const loud = Array.from({ length: 20 }, (_, index) => take(`a${index}`, acme));
    for (let count = 0; count < 5; count += 1) await take("g", globex);
    expect(begun.slice(0, 10)).toEqual(["a0", "g", "a1", "g", "a2", "g", "a3", "g", "a4", "g"]);
    await Promise.all(loud);
  });
});
