import { emptyTables } from "../../store/reset.ts";
import { applySeed, findSeedFaults, type Seed } from "../seed.ts";
import type { ControlScope } from "./control-scope.ts";

/** More than a test can want, and few enough for one transaction. */
const LARGEST_SEED = 10_000;

const schema = {
  type: "object",
  required: [],
  properties: {
    merchants: { type: "array", maxItems: LARGEST_SEED, items: { $ref: "V1MerchantUpsertRequest#" } },
    consents: { type: "array", maxItems: LARGEST_SEED, items: { $ref: "V1MerchantConsentRequest#" } },
  },
  additionalProperties: false,
};

/**
 * `POST /reset` restores the demo tenant's initial state, with the same credential, and removes everything else: data,
 * planned faults and the clock's offset. `POST /seed` adds merchants and consents to it, by default its initial ones.
 */
export function addResetRoutes({ scope, control, createCheck, inTurn }: ControlScope): void {
  const check = createCheck(schema, "", findSeedFaults);
  const { store, clock, faults } = control;

  scope.post("/reset", (_request, reply) =>
    inTurn(async () => {
      const tenant = control.tenant();
      faults.clear();
      // let work in flight finish in the tables that are about to be emptied
      await clock.settle();
      clock.returnToBase();
      await store.write(async (tx) => {
        await emptyTables(tx);
        await tenant.recreate(tx, clock.now());
      });
      await control.beginAnew();
      reply.code(204);
    }),
  );

  scope.post("/seed", ({ body }, reply) => {
    if (body !== undefined) check(body);
    return inTurn(async () => {
      const tenant = control.tenant();
      const now = clock.now();
      await store.write((tx) =>
        body === undefined ? tenant.seed(tx, now) : applySeed(tx, { tenantId: tenant.tenantId, now }, body as Seed),
      );
      reply.code(204);
    });
  });
}
