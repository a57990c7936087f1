import { expect, expectTypeOf, it } from "vitest";
import type { CallOutcome } from "../../domain/calls/rules.ts";
import { objectOf } from "../../domain/document-checks.ts";
import type { DeliveryReason } from "../../domain/messages/rules.ts";
import type { Schemas } from "../../generated/carrier-adapter.ts";
import { httpKind } from "./kind.ts";
import { completeHttpSettings, toTextColumns } from "./settings.ts";

const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
const document = { kind: "http", url: "https://adapter.acme.example/msgd", secret };
const findFaults = (given: object) =>
  httpKind.findFaults(objectOf({ ...document, ...given }, ""), { channel: "SMS", isForAllTenants: false });

it.each([
  {},
  { url: "http://127.0.0.1:4950" },
  { url: "http://localhost:4950/msgd" },
  { sender: "ACME" },
  { marketing: { intro: "{merchant} calls. Press 9 for no more calls.", optOutKey: "9" } },
  { secret: `whsec_${Buffer.alloc(64, 1).toString("base64")}` },
])("%j is allowed", (given) => {
  expect(findFaults(given)).toEqual([]);
});

it.each([
  [{ url: "http://adapter.acme.example" }, "/url"],
  [{ url: "https://adapter.acme.example?key=1" }, "/url"],
  [{ url: "https://ann:pass@adapter.acme.example" }, "/url"],
  [{ url: "https://:pass@adapter.acme.example" }, "/url"],
  [{ url: "adapter.acme.example" }, "/url"],
  [{ secret: "hunter2" }, "/secret"],
  [{ secret: secret.slice(6) }, "/secret"],
  [{ secret: `whsec_${Buffer.alloc(23, 1).toString("base64")}` }, "/secret"],
  [{ secret: `whsec_${Buffer.alloc(65, 1).toString("base64")}` }, "/secret"],
  [{ secret: `${secret}=` }, "/secret"],
  [{ sender: "a name that is too long" }, "/sender"],
  [{ marketing: { intro: "Press # for no more calls.", optOutKey: "#" } }, "/marketing/optOutKey"],
])("%j is refused", (given, pointer) => {
  const faults = findFaults(given);
  expect(faults.map((fault) => fault.pointer)).toEqual([pointer]);
  if (pointer === "/secret") expect(faults[0]?.detail).not.toContain(Object.values(given)[0]);
});

it("carriers of one adapter share an account, and only those with a sender use merchants' numbers", () => {
  const columns = (given: object) => toTextColumns(completeHttpSettings({ ...document, ...given }));
  const { account } = columns({});
  expect(columns({})).toEqual({ sender: null, merchantNumbers: 0, account });
  expect(columns({ url: `${document.url}/`, sender: "ACME" })).toEqual({ sender: "ACME", merchantNumbers: 1, account });
  expect(columns({ url: "https://other.example" }).account).not.toBe(account);
});

it("the protocol has the reasons of the contract, and the outcomes of calls", () => {
  expectTypeOf<Schemas["Reason"]>().toEqualTypeOf<DeliveryReason>();
  expectTypeOf<Schemas["CallEnd"]["result"]>().toEqualTypeOf<CallOutcome>();
});
