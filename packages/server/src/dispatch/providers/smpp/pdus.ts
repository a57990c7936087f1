// PDUs to octets and back, by the library `smpp`, which is loaded with the first carrier. None of its sessions is used: they
// have no window and no timeouts, and read nothing more after a PDU that cannot be parsed.

import type { PDU } from "smpp";

export interface Decoded {
  readonly pdu: PDU;
  /** False where no more than its header could be read. */
  readonly isWhole: boolean;
}

export interface PduCodec {
  /** Texts are given as octets; `fields` without a sequence number has 0, and a field left out its default. */
  encode(command: string, fields: object): Buffer;
  /** `frame` is as long as its first four octets say. */
  decode(frame: Buffer): Decoded;
}

const HEADER_BYTES = 16;

/** Loads the library, or rejects as `import` does where it is not installed. */
export async function loadPduCodec(): Promise<PduCodec> {
  const library = await import("smpp");

  /** Texts stay octets: the filters of the library take the wrong encoding for some, and leave a global variable behind. */
  class PlainPdu extends library.PDU {
    protected override _filter(): void {}
  }

  return {
    encode: (command, fields) => new PlainPdu(command, fields).toBuffer(),
    decode(frame) {
      try {
        const pdu = new PlainPdu(frame);
        return { pdu, isWhole: hasBody(pdu) };
      } catch {
        const header = Buffer.from(frame.subarray(0, HEADER_BYTES));
        header.writeUInt32BE(HEADER_BYTES, 0);
        return { pdu: new PlainPdu(header), isWhole: false };
      }
    },
  };
}

/** The library leaves out what a PDU that was cut short has no room for. */
function hasBody({ command, short_message, data_coding }: PDU): boolean {
  if (command === "deliver_sm") return short_message !== undefined;
  return command !== "data_sm" || data_coding !== undefined;
}
