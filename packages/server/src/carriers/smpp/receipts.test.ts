import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { describeReceipt, isReceipt, readReceipt } from "./inbound.ts";
import { loadPduCodec, type PduCodec } from "./pdus.ts";

const text = "id:00123 sub:001 dlvrd:001 submit date:2603011200 done date:2603011201 stat:DELIVRD err:000 text:Hello";

let pdus: PduCodec;
beforeAll(async () => {
  pdus = await loadPduCodec();
});

/** Encodes and decodes a receipt, as if it came over a connection. */
function received(fields: object, command = "deliver_sm") {
  return pdus.decode(pdus.encode(command, { esm_class: 4, short_message: Buffer.alloc(0), data_coding: 0, ...fields }))
    .pdu;
}

function read(fields: object, receiptIds: Parameters<typeof readReceipt>[1] = "same", command?: string) {
  return readReceipt(received(fields, command), receiptIds);
}

const inText = (given: string) => ({ short_message: Buffer.from(given) });

describe("a receipt names its message", () => {
  it("by receipted_message_id", () => {
    expect(read({ receipted_message_id: "00AB", message_state: 2 })).toEqual({
      kind: "part-receipt",
      eventId: "ab message_state 2",
      part: "ab",
      status: "DELIVERED",
      reason: null,
      detail: "message_state 2",
    });
  });

  it("by a text", () => {
    expect(read(inText(text))).toEqual({
      kind: "part-receipt",
      eventId: "123 DELIVRD 2603011201",
      part: "123",
      status: "DELIVERED",
      reason: null,
      detail: "DELIVRD err:000",
    });
  });

  it.each(["deliver_sm", "data_sm"])("by a text in message_payload of a %s", (command) => {
    expect(read({ message_payload: Buffer.from(text) }, "same", command)).toMatchObject({
      part: "123",
      status: "DELIVERED",
    });
  });

  it("by receipted_message_id if its text has no id", () => {
    const given = { ...inText("stat:UNDELIV err:069"), receipted_message_id: "7f" };
    expect(read(given)).toMatchObject({ part: "7f", status: "UNDELIVERED", detail: "UNDELIV err:069" });
  });

  it("by a receipted_message_id without a terminating NUL", () => {
    const whole = pdus.encode("deliver_sm", { esm_class: 4, receipted_message_id: "7f", message_state: 2 });
    // 001e 0003 "7f" 0, and then the next parameter
    const at = whole.indexOf(Buffer.from("001e0003", "hex"));
    const cut = Buffer.concat([
      whole.subarray(0, at + 3),
      Buffer.from([2]),
      whole.subarray(at + 4, at + 6),
      whole.subarray(at + 7),
    ]);
    cut.writeUInt32BE(cut.length, 0);
    expect(readReceipt(pdus.decode(cut).pdu, "same")).toMatchObject({ part: "7f", status: "DELIVERED" });
  });

  it("in a different base than the response", () => {
    expect(read(inText("id:26 stat:DELIVRD"), "hex-as-decimal")).toMatchObject({ part: "26" });
    expect(read(inText("id:1A stat:DELIVRD"), "decimal-as-hex")).toMatchObject({ part: "26" });
    // the parameter repeats the response's id
    const both = { ...inText("id:0000006699 stat:DELIVRD"), receipted_message_id: "1234" };
    expect(read(both, "hex-as-decimal")).toMatchObject({ part: "6699" });
  });
});

describe("the text of a receipt is read", () => {
  it.each([
    ["in capitals", "ID:123 SUB:001 DLVRD:001 STAT:DELIVRD ERR:000 TEXT:"],
    ["in another order", "stat:delivrd done date:2603011201 id:123"],
    ["with only the required fields", "id:123 stat:DELIVRD"],
    ["with spaces after the colons", "id: 123 stat: DELIVRD err: 000"],
    ["with empty fields", "id:123 sub: dlvrd: submit date: done date: stat:DELIVRD err: text:"],
    ["with other separators", "id:123,sub:001,stat:DELIVRD;err:0"],
    ["with the text first", "text:Hi id:123 stat:DELIVRD"],
    ["with a text like a receipt", "id:123 stat:DELIVRD text:id:9 stat:UNDELIV"],
    ["on several lines", "id:123\r\nstat:DELIVRD\r\n"],
  ])("%s", (_what, given) => {
    expect(read(inText(given))).toMatchObject({ part: "123", status: "DELIVERED" });
  });

  it("in UCS-2", () => {
    const octets = Buffer.from("id:123 stat:DELIVRD", "utf16le").swap16();
    expect(read({ short_message: octets, data_coding: 8 })).toMatchObject({ part: "123", status: "DELIVERED" });
  });

  it.each([
    ["after a header", Buffer.from([5, 0, 3, 9, 2, 1])],
    ["after a missing header that esm_class announces", Buffer.alloc(0)],
  ])("%s", (_what, header) => {
    const short_message = Buffer.concat([header, Buffer.from("id:123 stat:DELIVRD")]);
    expect(read({ esm_class: 0x44, short_message })).toMatchObject({ part: "123", status: "DELIVERED" });
  });

  it.each(["id:7f:001 stat:DELIVRD", "stat:DELIVRD id:7f:001", "id:7f:001,stat:DELIVRD"])(
    "with colons in its id: %s",
    (given) => {
      expect(read(inText(given))).toMatchObject({ part: "7f:001", status: "DELIVERED" });
    },
  );

  it.each(["id:stat:DELIVRD", "stat:DELIVRD", "id: stat:DELIVRD", ""])("as naming no message: %s", (given) => {
    expect(read(inText(given))).toBeUndefined();
  });

  it.each(["id:123", "id:123 stat:", "id:123 stat:UNKNOWN", "id:123 stat:EXPIRD err:27"])(
    "as without a known state, with what it said: %s",
    (given) => {
      expect(read(inText(`${given} text:Your code is 123456`))).toMatchObject({
        part: "123",
        status: "SENT",
        reason: null,
        detail: `a receipt without a known state: ${given}`,
        hasUnknownState: true,
      });
    },
  );

  it("as without a known state if only its parameter has one that is not known", () => {
    expect(read({ receipted_message_id: "7f", message_state: 9 })).toMatchObject({
      part: "7f",
      detail: "a receipt without a known state: message_state 9",
    });
    expect(read({ receipted_message_id: "7f" })?.detail).toBe("a receipt without a known state: empty");
  });

  it("without values that are too long", () => {
    expect(read(inText(`id:1 stat:DELIVRD err:${"9".repeat(64)}`))?.detail).toBe(`DELIVRD err:${"9".repeat(64)}`);
    expect(read(inText(`id:1 stat:DELIVRD err:${"9".repeat(65)}`))?.detail).toBe("DELIVRD");
    expect(read(inText(`id:${"9".repeat(65)} stat:DELIVRD`))).toBeUndefined();
    expect(read({ receipted_message_id: "9".repeat(65), message_state: 2 })).toBeUndefined();
  });
});

describe("a state", () => {
  it.each([
    [1, "ENROUTE", "SENT", null],
    [2, "DELIVRD", "DELIVERED", null],
    [3, "EXPIRED", "EXPIRED", "TTL_EXPIRED"],
    [4, "DELETED", "UNDELIVERED", "CARRIER_UNKNOWN"],
    [5, "UNDELIV", "UNDELIVERED", "UNREACHABLE"],
    [6, "ACCEPTD", "SENT", null],
    [8, "REJECTD", "UNDELIVERED", "CARRIER_FILTERED"],
    [2, "DELIVERED", "DELIVERED", null],
    [5, "UNDELIVERABLE", "UNDELIVERED", "UNREACHABLE"],
    [5, "FAILED", "UNDELIVERED", "UNREACHABLE"],
  ])("%i or %s is read as %s", (state, stat, status, reason) => {
    const report = { status, reason };
    expect(read({ receipted_message_id: "1", message_state: state })).toMatchObject(report);
    expect(read(inText(`id:1 stat:${stat}`))).toMatchObject(report);
  });

  it("is read from the parameter rather than the text", () => {
    expect(read({ ...inText("id:1 stat:UNDELIV"), message_state: 2 })).toMatchObject({ status: "DELIVERED" });
    expect(read({ ...inText("id:1 stat:DELIVRD"), message_state: 7 })).toMatchObject({
      detail: "a receipt without a known state: message_state 7 id:1 stat:DELIVRD",
      hasUnknownState: true,
    });
  });

  it.each([0, 9, 255])("is read from the text if the parameter has the unknown value %i", (message_state) => {
    const given = { receipted_message_id: "1", message_state };
    expect(read({ ...given, ...inText("id:1 stat:DELIVRD") })).toMatchObject({ status: "DELIVERED" });
    expect(read(given)).toMatchObject({ status: "SENT", hasUnknownState: true });
  });

  it("is never final in an intermediate notification", () => {
    expect(read({ ...inText("id:1 stat:UNDELIV"), esm_class: 0x20 })).toMatchObject({ status: "SENT", reason: null });
  });
});

describe("a receipt in the log", () => {
  const describeFields = (fields: object) => describeReceipt(received(fields));

  it("contains its fields, but nothing of the message's text", () => {
    expect(
      describeFields({ ...inText("id:1 stat:EXPIRD err:1\r\n text:Your code is 123456"), message_state: 9 }),
    ).toEqual({
      receipt: "id:1 stat:EXPIRD err:1",
      message_state: 9,
    });
    expect(describeFields({ receipted_message_id: "a\tb" })).toEqual({ receipt: "", receipted_message_id: "a b" });
  });

  it("is printable and limited in length, for any octets", () => {
    const octets = fc.uint8Array({ maxLength: 250 }).map((given) => Buffer.from(given));
    fc.assert(
      fc.property(octets, (short_message) => {
        expect(JSON.stringify(describeFields({ short_message }))).toMatch(/^\{"receipt":"[ -~]{0,400}"\}$/);
      }),
    );
    expect(describeFields(inText("x".repeat(250)))).toEqual({ receipt: "x".repeat(200) });
  });
});

it("a repeated receipt has the same event id, and a receipt with another state has a different event id", () => {
  const ids = ["DELIVRD", "DELIVRD", "ENROUTE"].map(
    (stat) => read(inText(`id:1 done date:2603011200 stat:${stat}`))?.eventId,
  );
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
});

describe("a receipt is recognized", () => {
  it.each([
    ["by esm_class", { esm_class: 0x04 }, true],
    ["by esm_class with a header", { esm_class: 0x44 }, true],
    ["as an intermediate notification", { esm_class: 0x20 }, true],
    ["by its parameters", { esm_class: 0, receipted_message_id: "1", message_state: 2 }, true],
    ["not by an id alone", { esm_class: 0, receipted_message_id: "1" }, false],
    ["not by its text", { esm_class: 0, ...inText(text) }, false],
    ["not as an acknowledgement by a phone", { esm_class: 0x08 }, false],
  ])("%s", (_what, fields, expected) => {
    expect(isReceipt(received(fields))).toBe(expected);
  });
});

it("reads a receipt of arbitrary octets, and limits its texts", () => {
  const field = fc.constantFrom("id:", "stat:", "err:", "done date:", "text:", " ", "DELIVRD", "\0", ":", "7");
  const octets = fc.oneof(
    fc.array(field, { maxLength: 20 }).map((fields) => Buffer.from(fields.join(""))),
    fc.uint8Array({ maxLength: 250 }).map((given) => Buffer.from(given)),
  );
  fc.assert(
    fc.property(octets, fc.option(fc.nat(255), { nil: undefined }), (short_message, message_state) => {
      const given = message_state === undefined ? { short_message } : { short_message, message_state };
      expect(read(given)?.detail?.length ?? 0).toBeLessThanOrEqual(300);
    }),
  );
});
