import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type PlaceBounds, Places } from "./places.ts";

const [acme, globex] = [1, 2];
const present = new AbortController().signal;

/** The names of those who have a place, as they come to it. */
function open(bounds: Pick<PlaceBounds, "atOnce" | "perOwner" | "mostWaiting"> & { waitMs?: number }) {
  const places = new Places({ waitMs: 60_000, words: "Few at a time", ...bounds });
  const seated: string[] = [];
  const leave = new Map<string, () => void>();
  const come = async (name: string, tenantId: number, signal = present, count = 1) => {
    leave.set(name, await places.take(tenantId, signal, count));
    seated.push(name);
  };
  return { places, seated, come, go: (name: string) => leave.get(name)?.() };
}

describe("places", () => {
  it("are a tenant's share at most, and the next in its line has the one that becomes free", async () => {
    const { seated, come, go } = open({ atOnce: 4, perOwner: 2 });
    const all = ["a1", "a2", "a3", "a4"].map((name) => come(name, acme));
    const other = come("g1", globex);
    await nextTurn();
    expect(seated).toEqual(["a1", "a2", "g1"]);
    go("a1");
    // a second time gives nothing back
    go("a1");
    await nextTurn();
    expect(seated).toEqual(["a1", "a2", "g1", "a3"]);
    go("a2");
    await Promise.all([...all, other]);
  });

  it("go round the tenants once all are taken", async () => {
    const { seated, come, go } = open({ atOnce: 1, perOwner: 1 });
    const all = [come("a1", acme), come("a2", acme), come("a3", acme), come("g1", globex)];
    await nextTurn();
    for (const name of ["a1", "a2", "g1"]) {
      go(name);
      await nextTurn();
    }
    expect(seated).toEqual(["a1", "a2", "g1", "a3"]);
    await Promise.all(all);
  });

  it("are taken by many who need few as by few who need many", async () => {
    const { seated, come, go } = open({ atOnce: 12, perOwner: 6 });
    const all = [
      ["a4", acme, 4],
      ["a3", acme, 3],
      ["a2", acme, 2],
      ["g6", globex, 6],
    ] as const;
    const coming = all.map(([name, tenantId, count]) => come(name, tenantId, present, count));
    await nextTurn();
    // three more would be more than a share
    expect(seated).toEqual(["a4", "g6"]);
    go("a4");
    await Promise.all(coming);
    expect(seated).toEqual(["a4", "g6", "a3", "a2"]);
  });

  it("are kept free for who needs more than there are", async () => {
    const { seated, come, go } = open({ atOnce: 4, perOwner: 4 });
    await come("a1", acme);
    await come("g1", globex);
    const large = come("a4", acme, present, 3);
    const small = come("g2", globex);
    await nextTurn();
    expect(seated).toEqual(["a1", "g1"]);
    go("a1");
    await large;
    expect(seated).toEqual(["a1", "g1", "a4"]);
    go("g1");
    await small;
  });

  it("are not kept for who went away while it waited", async () => {
    const { seated, come, go } = open({ atOnce: 1, perOwner: 1 });
    await come("a1", acme);
    const client = new AbortController();
    const gone = come("a2", acme, client.signal);
    const next = come("g1", globex);
    client.abort();
    await expect(gone).rejects.toThrow("aborted");
    go("a1");
    await next;
    expect(seated).toEqual(["a1", "g1"]);
  });

  it("are waited for by so many of an owner, and of so many owners", async () => {
    const { seated, come, go } = open({ atOnce: 1, perOwner: 1, mostWaiting: { perOwner: 1, owners: 2 } });
    const refused = {
      code: "unavailable",
      message: "Few at a time; there is no room to wait. Nothing was done; try again.",
    };
    await come("a1", acme);
    const second = come("a2", acme);
    await expect(come("a3", acme)).rejects.toMatchObject(refused);
    const other = come("g1", globex);
    await expect(come("i1", 3)).rejects.toMatchObject(refused);
    go("a1");
    await second;
    go("a2");
    await other;
    expect(seated).toEqual(["a1", "a2", "g1"]);
  });

  it("are refused to who waited too long, and to all once it stops", async () => {
    const { come } = open({ atOnce: 1, perOwner: 1, waitMs: 1 });
    await come("a1", acme);
    await expect(come("a2", acme)).rejects.toMatchObject({
      code: "unavailable",
      message: "Few at a time; there was no room within 0.001 s. Nothing was done; try again.",
    });
    const stopping = open({ atOnce: 1, perOwner: 1 });
    await stopping.come("a1", acme);
    const waiting = expect(stopping.come("a2", acme)).rejects.toThrow("The server is stopping");
    stopping.places.close();
    await waiting;
    await expect(stopping.come("a3", acme)).rejects.toThrow("The server is stopping");
  });
});
