import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { createGuardedLookup, createLocalLookup, createPoster } from "./post.ts";

/** Creates a resolver that returns the given answers in order, then keeps returning the last one. */
function resolverOf(...answers: string[][]): LookupFunction & { asked: number } {
  const resolve = ((_hostname, options, callback) => {
    const addresses = answers[Math.min(resolve.asked, answers.length - 1)] ?? [];
    resolve.asked += 1;
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const [first] = found;
    if (options.all) callback(null, found);
    else callback(null, first?.address ?? "", first?.family ?? 4);
  }) as LookupFunction & { asked: number };
  resolve.asked = 0;
  return resolve;
}

function look(resolve: LookupFunction, all: boolean): Promise<unknown> {
  return new Promise((done, fail) => {
    createGuardedLookup(resolve)("hooks.example.com", { all }, (error, found) => (error ? fail(error) : done(found)));
  });
}

describe("createGuardedLookup", () => {
  it("accepts public addresses of both families", async () => {
    const resolve = resolverOf(["8.8.8.8", "2606:4700::1"]);
    expect(await look(resolve, false)).toBe("8.8.8.8");
    expect(await look(resolve, true)).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ]);
  });

  it.each([
    ["a loopback address", ["127.0.0.1"]],
    ["the address of a metadata service", ["169.254.169.254"]],
    ["a private IPv4 address written as IPv6", ["::ffff:10.0.0.1"]],
    ["a private address among public ones", ["8.8.8.8", "10.0.0.1"]],
    ["no address", []],
  ])("rejects a name that has %s", async (_what, addresses) => {
    await expect(look(resolverOf(addresses), true)).rejects.toMatchObject({ code: "PRIVATE_ADDRESS" });
  });

  it.each([["127.0.0.1"], ["::1"]])("rejects %s as the only answer", async (address) => {
    await expect(look(resolverOf([address]), false)).rejects.toMatchObject({ code: "PRIVATE_ADDRESS" });
  });

  it("passes on the resolver's error", async () => {
    const failing: LookupFunction = (_hostname, _options, callback) =>
      callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), "", 4);
    await expect(look(failing, true)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });
});

describe("a reserved name", () => {
  it.each(["hooks.example", "hooks.test", "a.invalid", "a.INVALID.", "printer.localhost"])(
    "is never queried: %s",
    async (name) => {
      const asking = new Promise((done, fail) => {
        createGuardedLookup()(name, { all: true }, (error, found) => (error ? fail(error) : done(found)));
      });
      await expect(asking).rejects.toMatchObject({ code: "ENOTFOUND" });
    },
  );
});

describe("the names of this machine", () => {
  const others = createGuardedLookup(resolverOf(["127.0.0.1"]));

  it.each(["localhost", "hooks.localhost"])("resolve to this machine in development: %s", async (name) => {
    const found = await new Promise((done, fail) => {
      createLocalLookup(others)(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
    });
    expect(found).toContainEqual(expect.objectContaining({ address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) }));
  });

  it("are the only names that may resolve to this machine", async () => {
    const asking = new Promise((done, fail) => {
      createLocalLookup(others)("hooks.example.com", { all: true }, (error, found) =>
        error ? fail(error) : done(found),
      );
    });
    await expect(asking).rejects.toMatchObject({ code: "PRIVATE_ADDRESS" });
  });
});

describe("a name whose address changes", () => {
  it("is checked at each connection, against the address that is used", async () => {
    // public when the URL is checked, private when the connection is made
    const resolve = resolverOf(["8.8.8.8"], ["127.0.0.1"]);
    expect(await look(resolve, true)).toEqual([{ address: "8.8.8.8", family: 4 }]);
    const poster = createPoster({ reach: "public", timeoutMs: 60_000, resolve });
    const result = await poster.post({ url: "https://hooks.example.com/", headers: {}, body: "{}" });
    poster.close();
    expect(result).toEqual({ status: undefined, outcome: "PRIVATE_ADDRESS" });
    expect(resolve.asked).toBe(2);
  });
});
