import fc from "fast-check";
import { expect, it } from "vitest";
import { FrameReader } from "./session.ts";

function frameOf(body: Uint8Array): Buffer {
  const frame = Buffer.alloc(16 + body.length);
  frame.writeUInt32BE(frame.length, 0);
  frame.set(body, 16);
  return frame;
}

function lengthOf(bytes: number): Buffer {
  const prefix = Buffer.alloc(16);
  prefix.writeUInt32BE(bytes, 0);
  return prefix;
}

function takeAll(reader: FrameReader): Buffer[] {
  const taken: Buffer[] = [];
  for (let frame = reader.take(); frame !== undefined; frame = reader.take()) taken.push(frame);
  return taken;
}

it("returns the same PDUs wherever the stream is cut", () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
  const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(bodies, cuts, (given, sizes) => {
      const frames = given.map(frameOf);
      const stream = Buffer.concat(frames);
      const reader = new FrameReader();
      const taken: Buffer[] = [];
      for (let at = 0, cut = 0; at < stream.length; cut += 1) {
        const size = sizes[cut % sizes.length] ?? 1;
        reader.push(stream.subarray(at, at + size));
        taken.push(...takeAll(reader));
        at += size;
      }
      expect(taken).toEqual(frames);
    }),
  );
});

it("accepts a PDU of 64 KiB that arrives byte by byte", () => {
  const frame = frameOf(new Uint8Array(65_536 - 16).fill(7));
  const reader = new FrameReader();
  for (const byte of frame) reader.push(Buffer.from([byte]));
  expect(reader.take()?.equals(frame)).toBe(true);
});

it.each([0, 15, 65_537, 0xffff_ffff])("stops after a length of %i", (length) => {
  const reader = new FrameReader();
  reader.push(Buffer.concat([frameOf(new Uint8Array(3)), lengthOf(length), frameOf(new Uint8Array(3))]));
  expect(takeAll(reader)).toHaveLength(1);
  expect(reader.fault).toContain(`${length} bytes`);
  reader.push(frameOf(new Uint8Array(3)));
  expect(takeAll(reader)).toEqual([]);
});

it.each([16, 65_536])("accepts a length of %i", (length) => {
  const reader = new FrameReader();
  reader.push(frameOf(new Uint8Array(length - 16)));
  expect(reader.take()).toHaveLength(length);
  expect(reader.fault).toBeUndefined();
});
