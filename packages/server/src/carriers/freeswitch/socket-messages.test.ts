import { describe, expect, it } from "vitest";
import { MessageReader, type SocketMessage } from "./event-socket.ts";

const stream = [
  "Content-Type: auth/request\n\n",
  "Content-Type: command/reply\nReply-Text: +OK accepted\n\n",
  'Content-Length: 21\nContent-Type: text/event-json\n\n{"Name":"é\\n\\n",   }',
  "Content-Type: api/response\nContent-Length: 0\n\n",
  "Content-Type: command/reply\nReply-Text: -ERR: a word\n\n",
].join("");

const messages = [
  [{ "Content-Type": "auth/request" }, ""],
  [{ "Content-Type": "command/reply", "Reply-Text": "+OK accepted" }, ""],
  [{ "Content-Length": "21", "Content-Type": "text/event-json" }, '{"Name":"é\\n\\n",   }'],
  [{ "Content-Type": "api/response", "Content-Length": "0" }, ""],
  [{ "Content-Type": "command/reply", "Reply-Text": "-ERR: a word" }, ""],
];

function takeAll(reader: MessageReader): SocketMessage[] {
  const taken: SocketMessage[] = [];
  for (let message = reader.take(); message !== undefined; message = reader.take()) taken.push(message);
  return taken;
}

function plain(taken: readonly SocketMessage[]): unknown {
  return taken.map(({ headers, body }) => [Object.fromEntries(headers), body]);
}

describe("a stream", () => {
  it("is split into its messages wherever it is cut in two", () => {
    const bytes = Buffer.from(stream);
    for (let at = 0; at <= bytes.length; at++) {
      const reader = new MessageReader();
      reader.push(bytes.subarray(0, at));
      const first = takeAll(reader);
      reader.push(bytes.subarray(at));
      expect(plain([...first, ...takeAll(reader)]), `cut at ${at}`).toEqual(messages);
      expect(reader.fault).toBeUndefined();
    }
  });

  it("is split into its messages if it arrives byte by byte", () => {
    const reader = new MessageReader();
    const taken = [...Buffer.from(stream)].flatMap((byte) => {
      reader.push(Buffer.from([byte]));
      return takeAll(reader);
    });
    expect(plain(taken)).toEqual(messages);
  });

  it.each([
    ["a length that is not a number", "Content-Length: many\n\n", 'a message announced "many" bytes'],
    ["a negative length", "Content-Length: -1\n\n", 'a message announced "-1" bytes'],
    [
      "an event that is too long",
      "Content-Type: text/event-json\nContent-Length: 262145\n\n",
      'a message announced "262145" bytes; the limit is 262144',
    ],
    ["a body that is too long", "Content-Length: 16777217\n\n", 'a message announced "16777217" bytes'],
    ["headers that are too long", "x".repeat(65_536), "headers of more than 65536 bytes"],
  ])("is not read any further after %s", (_what, text, words) => {
    const reader = new MessageReader();
    reader.push(Buffer.from(text));
    expect(reader.take()).toBeUndefined();
    expect(reader.fault).toContain(words);
    reader.push(Buffer.from(stream));
    expect(reader.take()).toBeUndefined();
  });
});
