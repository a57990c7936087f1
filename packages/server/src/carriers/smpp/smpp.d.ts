// Types of the parts of `smpp` that are used; the library has no types. Fields are named as in the standard.

declare module "smpp" {
  import type { Server } from "node:net";

  export class PDU {
    static maxLength: number;
    constructor(frame: Buffer);
    constructor(command: string, fields: object);
    /** `unknown` for a command that is not in the standard. */
    readonly command: string;
    readonly command_status: number;
    readonly sequence_number: number;
    /** Fields of responses and deliveries. A field is absent if the PDU ends before it. */
    readonly message_id?: string;
    readonly source_addr_ton?: number;
    readonly source_addr?: string;
    readonly dest_addr_ton?: number;
    readonly destination_addr?: string;
    readonly esm_class?: number;
    readonly data_coding?: number;
    readonly short_message?: Buffer;
    /** Optional parameters. */
    readonly message_payload?: Buffer;
    readonly receipted_message_id?: string;
    readonly message_state?: number;
    readonly sar_msg_ref_num?: number;
    readonly sar_total_segments?: number;
    readonly sar_segment_seqnum?: number;
    isResponse(): boolean;
    toBuffer(): Buffer;
    protected _filter(direction: "encode" | "decode"): void;
  }

  /** For tests: an independent peer. */
  export interface PeerSession {
    on(event: string, listener: (pdu: PeerPdu) => void): void;
    send(pdu: PDU): boolean;
    deliver_sm(fields: object, listener?: (response: PDU) => void): boolean;
    close(): void;
  }

  export interface PeerPdu extends Omit<PDU, "short_message"> {
    readonly system_id: string;
    readonly password: string;
    readonly short_message: { readonly message: string };
    response(fields?: object): PDU;
  }

  export function createServer(listener: (session: PeerSession) => void): Server;
}
