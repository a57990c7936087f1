// Promises beyond replies, of every operation: the same checks that the tool runs against any server.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { promises } from "../src/promises/index.ts";
import type { PromiseKind } from "../src/promises/promise.ts";
import { openWorld, type World } from "./world.ts";

describe.each<PromiseKind>(["repeats", "limits", "tenants", "merchants", "reads"])("%s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const ofKind = promises.filter((promise) => promise.kind === kind);
  it.each(ofKind.map((promise) => [`${promise.operationId}: ${promise.words}`, promise] as const))(
    "%s",
    async (_words, promise) => {
      await expect(promise.check(world)).resolves.toBeUndefined();
    },
  );
});
