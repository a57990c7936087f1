import { describe, expect, it } from "vitest";
import type { Database } from "../world/database.ts";
import type { Request } from "../world/instance.ts";
import { checkAcknowledged, checkUndone } from "./caller-checks.ts";
import { Violation } from "./violation.ts";

const databaseOf = (...ids: string[]) => ({ all: async () => ids.map((id) => ({ id })) }) as unknown as Database;
const send = { operationId: "sendSms", tenant: 0, merchantId: "m0", key: "k1", idempotencyKey: "i0" } as Request;

describe("checkAcknowledged", () => {
  const decision = { channel: "SMS", contact: "+12025550100", status: "OPT_OUT" };
  const made = (request: Request, ...ids: string[]) =>
    checkAcknowledged(databaseOf(...ids), [{ request, id: "msg_1", at: 1, begunAt: 1 }]);
  const decided = (...ids: string[]) => made({ ...send, operationId: "recordConsent", body: decision }, ...ids);

  it("accepts an id that exists", () => made(send, "msg_1"));
  it("reports an id that does not exist", () => expect(made(send, "msg_2")).rejects.toThrow(Violation));
  it("accepts a decision that is on record", () => decided("m0 SMS +12025550100 OPT_OUT"));
  it("reports a decision that was recorded differently", () =>
    expect(decided("m0 SMS +12025550100 OPT_IN")).rejects.toThrow(Violation));
});

describe("checkUndone", () => {
  it("accepts keys of other tenants and operations", () =>
    checkUndone(databaseOf("Second sendSms i0", "First sendEmail i0"), [send]));
  it("reports the request's own key", () =>
    expect(checkUndone(databaseOf("First sendSms i0"), [send])).rejects.toThrow(Violation));
});
