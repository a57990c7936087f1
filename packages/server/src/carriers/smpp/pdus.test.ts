import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { loadPduCodec, type PduCodec } from "./pdus.ts";

let pdus: PduCodec;
beforeAll(async () => {
  pdus = await loadPduCodec();
});

/** Ids of requests and their responses, and ids that no command has. */
const commandIds = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0b, 0x15, 0x21, 0x102, 0x103, 0x111, 0x999), fc.boolean())
  .map(([id, isResponse]) => (isResponse ? id + 0x8000_0000 : id));

it("reads at least the header of any PDU", () => {
  const body = fc.uint8Array({ maxLength: 120 });
  fc.assert(
    fc.property(commandIds, fc.nat(300), fc.nat(0x7fff_ffff), body, (id, status, sequence, octets) => {
      const frame = Buffer.alloc(16 + octets.length);
      for (const [index, value] of [frame.length, id, status, sequence].entries())
        frame.writeUInt32BE(value, 4 * index);
      frame.set(octets, 16);
      const { pdu } = pdus.decode(frame);
      expect(pdu).toMatchObject({ command_status: status, sequence_number: sequence });
      expect(pdu.isResponse()).toBe(id >= 0x8000_0000);
    }),
  );
});

it("leaves a text's octets unchanged in every coding, and adds no global variable", () => {
  // an earlier test may have run the library's own filters, which set this
  Reflect.deleteProperty(globalThis, "skipUdh");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 254 }), fc.nat(255), fc.nat(255), (octets, data_coding, esm_class) => {
      const text = Buffer.from(octets);
      const frame = pdus.encode("deliver_sm", { data_coding, esm_class, short_message: text, message_payload: text });
      const { pdu, isWhole } = pdus.decode(frame);
      expect(isWhole).toBe(true);
      expect([pdu.data_coding, pdu.esm_class]).toEqual([data_coding, esm_class]);
      expect(pdu.short_message?.equals(text)).toBe(true);
      expect(pdu.message_payload?.equals(text)).toBe(true);
    }),
  );
  expect(globalThis).not.toHaveProperty("skipUdh");
});
