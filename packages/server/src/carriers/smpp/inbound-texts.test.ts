import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { readTextPart } from "./inbound.ts";
import { loadPduCodec, type PduCodec } from "./pdus.ts";
import type { SmppSettings } from "./settings.ts";

let pdus: PduCodec;
beforeAll(async () => {
  pdus = await loadPduCodec();
});

const addresses = {
  source_addr_ton: 1,
  source_addr_npi: 1,
  source_addr: "12025550100",
  dest_addr_ton: 3,
  destination_addr: "12345",
};

function read(fields: object, command = "deliver_sm", alphabet: SmppSettings["alphabet"] = "gsm7") {
  const { pdu } = pdus.decode(pdus.encode(command, { data_coding: 0, ...addresses, ...fields }));
  return readTextPart(pdu, { sender: "12345", alphabet });
}

function withHeader(hex: string, text = "part"): object {
  return { esm_class: 0x40, short_message: Buffer.concat([Buffer.from(hex, "hex"), Buffer.from(text)]) };
}

it("reads a text's addresses, and decodes the text", () => {
  const parties = { from: "+12025550100", to: "12345" };
  expect(read({ short_message: Buffer.from("STOP") })).toEqual({ ...parties, text: "STOP" });
  const cyrillic = Buffer.from("0421", "hex");
  expect(read({ short_message: cyrillic, data_coding: 8 })).toEqual({ ...parties, text: "С" });
  expect(read({ message_payload: Buffer.from("STOP") })).toEqual({ ...parties, text: "STOP" });
  expect(read({ message_payload: Buffer.from("STOP") }, "data_sm")).toEqual({ ...parties, text: "STOP" });
});

it.each([
  ["gsm7", "¡"],
  ["latin1", "@"],
  ["ascii", "@"],
] as const)("reads a text in the carrier's default alphabet: %s", (alphabet, text) => {
  expect(read({ short_message: Buffer.from([0x40]) }, "deliver_sm", alphabet).text).toBe(text);
  expect(read({ short_message: Buffer.from([0x04, 0x21]), data_coding: 8 }, "deliver_sm", alphabet).text).toBe("С");
});

it.each([
  ["an 8-bit reference", withHeader("050003ab0201"), { reference: 0xab, total: 2, number: 1 }],
  ["a 16-bit reference", withHeader("06080412340302"), { reference: 0x1234, total: 3, number: 2 }],
  ["a reference after ports", withHeader("0b0504158a00000003ab0202"), { reference: 0xab, total: 2, number: 2 }],
  [
    "parameters",
    { short_message: Buffer.from("part"), sar_msg_ref_num: 999, sar_total_segments: 2, sar_segment_seqnum: 2 },
    { reference: 999, total: 2, number: 2 },
  ],
])("recognizes a part by %s", (_what, fields, part) => {
  expect(read(fields)).toMatchObject({ text: "part", part });
});

it.each([
  ["a part number above the total", withHeader("050003ab0203")],
  ["a part number of 0", withHeader("050003ab0200")],
  ["a total of one part", withHeader("050003ab0101")],
  ["an element that is cut short", withHeader("030003ab")],
  ["an element without octets", withHeader("020003")],
  ["an element without a length", withHeader("0100")],
  ["an element of another length", withHeader("04000202ab")],
  ["a header without elements", withHeader("00")],
])("reads a text with %s as a complete text", (_what, fields) => {
  const whole = read(fields);
  expect(whole.text).toBe("part");
  expect(whole).not.toHaveProperty("part");
});

it("reads an empty text if the header's length exceeds the octets", () => {
  expect(read(withHeader("ff", ""))).toMatchObject({ text: "" });
});

it("reads arbitrary octets without throwing", () => {
  const octets = fc.uint8Array({ maxLength: 60 }).map((given) => Buffer.from(given));
  const header = fc.tuple(octets, octets).map(([one, other]) => Buffer.concat([Buffer.from([one.length]), one, other]));
  fc.assert(
    fc.property(
      fc.oneof(octets, header),
      fc.nat(255),
      fc.constantFrom(0, 0x40),
      (short_message, data_coding, esm_class) => {
        expect(read({ short_message, data_coding, esm_class })).toHaveProperty("text");
      },
    ),
  );
});
