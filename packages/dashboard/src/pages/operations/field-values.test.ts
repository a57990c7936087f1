import { expect, it } from "vitest";
import { contractForms } from "../../generated/contract-forms.ts";
import { copyCall } from "../copies/call-copies.ts";
import type { ContractField } from "./contract-form.ts";
import { faultsAt, toRequest, valuesOf } from "./field-values.ts";

const field = (name: string, of: Partial<ContractField> = {}): ContractField => ({
  ...{ name, in: "body", path: [name], type: "string", description: "" },
  ...of,
});

it("toRequest() rebuilds each example of every operation from its form", () => {
  for (const [operationId, { fields, examples }] of Object.entries(contractForms)) {
    for (const { body } of examples) {
      // leave out the Idempotency-Key: it is a header, and empty in a new form
      const { idempotencyKey: _, ...own } = Object(body) as Record<string, unknown>;
      expect.soft(toRequest(fields, valuesOf(fields, body)).body, operationId).toEqual(own);
    }
  }
});

it.each([
  ["12", "integer", 12],
  ["9007199254740993", "integer", "9007199254740993"],
  ["1e3", "integer", "1e3"],
  ["twelve", "integer", "twelve"],
  ["0.5", "number", 0.5],
  ["pm_1", "integer-or-string", "pm_1"],
  ["true", "boolean", true],
  ["yes", "boolean", "yes"],
  ['{"a":[1]}', "json", { a: [1] }],
  ["{", "json", "{"],
  ["12", "string", "12"],
] as const)("toRequest() sends the text %s in a field of type %s as %j", (text, type, value) => {
  expect(toRequest([field("one", { type })], { one: text }).body).toEqual({ one: value });
});

it("toRequest() puts each value in its part of the request, and leaves out empty values", () => {
  const fields = [
    field("id", { in: "path" }),
    field("limit", { in: "query", type: "integer" }),
    field("status", { in: "query" }),
    field("contact-name", { path: ["contact", "name"] }),
    field("numbers", { repeatable: true, type: "integer" }),
    field("note"),
  ];
  const values = { id: "", limit: "5", status: "", "contact-name": "Ann", numbers: "1\n\n 2 ", note: "" };
  expect(toRequest(fields, values)).toEqual({
    path: { id: "" },
    query: { limit: 5 },
    headers: {},
    body: { contact: { name: "Ann" }, numbers: [1, 2] },
  });
  expect(toRequest([fields[0] as ContractField], { id: "a" }).body).toBeUndefined();
});

it("faultsAt() finds the faults of a field, and of values inside it", () => {
  const faults = ["/to", "/toNumbers/3", "/query/to", ""].map((pointer) => ({ pointer }));
  expect(faultsAt(field("to"), faults)).toEqual([{ pointer: "/to" }]);
  expect(faultsAt(field("to-numbers", { path: ["toNumbers"] }), faults)).toEqual([{ pointer: "/toNumbers/3" }]);
  expect(faultsAt(field("to", { in: "query" }), faults)).toEqual([{ pointer: "/query/to" }]);
});

it("copyCall() formats a call with path and query parameters as curl, msgctl and TypeScript", () => {
  const { fields } = contractForms.listTtsBatchNumbers;
  const call = {
    operationId: "listTtsBatchNumbers",
    fields,
    ...toRequest(fields, { "batch-id": "17", status: "FAILED" }),
  } as const;
  expect(copyCall(call)).toEqual({
    curl: expect.stringContaining(
      'curl "$MSGCTL_BASE_URL/api/v1/voice/tts-calls/batches/17/numbers?status=FAILED" \\\n',
    ),
    msgctl: expect.stringMatching(/^msgctl \S+ \S+ 17 \\\n {2}--status FAILED$/),
    TypeScript: expect.stringMatching(/^await client\.\w+\.\w+\("17", \{\n {2}status: "FAILED",\n\}\);$/),
  });
});
