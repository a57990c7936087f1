// A call that a phone received. It rings, and is answered, refused or left to ring.

import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type SipMessage, writeSipMessage, writeSipResponse } from "./sip-message.ts";

/** Reaction of a phone to a call. */
export type Reaction =
  | { readonly does: "answer"; readonly hangsUpAfterMs?: number }
  | { readonly does: "refuse"; readonly status: number }
  | { readonly does: "ring" };

export interface SipCallOptions {
  readonly invite: SipMessage;
  /** The phone's address. */
  readonly contact: string;
  readonly reaction: Reaction;
  readonly send: (text: string) => void;
}

const ANSWER_MS = 200;
const REPEAT_MS = 500;

export class SipCall {
  /** Number of sound packets that arrived. */
  heard = 0;
  readonly #options: SipCallOptions;
  readonly #tag = randomBytes(6).toString("hex");
  readonly #sound = createSocket("udp4").on("message", () => {
    this.heard += 1;
  });
  #phase: "ringing" | "answered" | "over" = "ringing";
  /** The last message sent. */
  #last = "";
  #timer: NodeJS.Timeout | undefined;
  #repeating: NodeJS.Timeout | undefined;

  constructor(options: SipCallOptions) {
    this.#options = options;
    const { reaction } = options;
    if (reaction.does === "refuse") this.#refuse(reaction.status);
    else this.#say(this.#respond(options.invite, 180));
    if (reaction.does === "answer") this.#timer = setTimeout(() => void this.#answer(reaction), ANSWER_MS);
  }

  get isOver(): boolean {
    return this.#phase === "over";
  }

  /** Handles a further message of the call. */
  take(message: SipMessage): void {
    switch (message.method) {
      case "INVITE":
        this.#options.send(this.#last);
        break;
      case "ACK":
      case "SIP/2.0":
        clearInterval(this.#repeating);
        break;
      case "CANCEL":
        this.#options.send(this.#respond(message, 200));
        if (this.#phase === "ringing") this.#refuse(487);
        break;
      case "BYE":
        this.#options.send(this.#respond(message, 200));
        this.close();
    }
  }

  close(): void {
    if (this.#phase === "answered") this.#sound.close();
    this.#phase = "over";
    clearTimeout(this.#timer);
    clearInterval(this.#repeating);
  }

  #refuse(status: number): void {
    this.close();
    this.#repeat(this.#respond(this.#options.invite, status));
  }

  async #answer({ hangsUpAfterMs }: Reaction & { does: "answer" }): Promise<void> {
    this.#phase = "answered";
    this.#sound.bind(0, "127.0.0.1");
    await once(this.#sound, "listening");
    this.#repeat(this.#respond(this.#options.invite, 200, describeSound(this.#sound.address().port)));
    if (hangsUpAfterMs !== undefined) this.#timer = setTimeout(() => this.#hangUp(), hangsUpAfterMs);
  }

  #hangUp(): void {
    this.close();
    const { invite, contact } = this.#options;
    const [, target = ""] = /<([^>]+)>/.exec(invite.header("Contact")) ?? [];
    const headers = [
      `Via: SIP/2.0/UDP ${contact.replace(/^.*@/, "")};branch=z9hG4bK${this.#tag}`,
      `From: ${invite.header("To")};tag=${this.#tag}`,
      `To: ${invite.header("From")}`,
      `Call-ID: ${invite.header("Call-ID")}`,
      "CSeq: 1 BYE",
      "Max-Forwards: 70",
    ];
    this.#repeat(writeSipMessage(`BYE ${target} SIP/2.0`, headers));
  }

  #respond(request: SipMessage, status: number, body?: string): string {
    return writeSipResponse(request, { status, tag: this.#tag, contact: this.#options.contact, body });
  }

  #say(text: string): void {
    this.#last = text;
    this.#options.send(text);
  }

  /** Repeats a message until it is confirmed, because UDP may lose it. */
  #repeat(text: string): void {
    this.#say(text);
    clearInterval(this.#repeating);
    this.#repeating = setInterval(() => this.#options.send(text), REPEAT_MS);
  }
}

/** Describes the sound format and port that the phone accepts (RFC 4566). */
function describeSound(port: number): string {
  const lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "c=IN IP4 127.0.0.1", "t=0 0"];
  return [...lines, `m=audio ${port} RTP/AVP 0`, "a=rtpmap:0 PCMU/8000", "a=ptime:20", ""].join("\r\n");
}
