// Accepts and counts texts over SMPP as fast as a process can.

import { type AddressInfo, createServer } from "node:net";
import { FrameReader } from "../../../packages/server/src/carriers/smpp/session.ts";

const HEADER_BYTES = 16;
const SUBMIT = 4;
/** Bit that marks the command of a response. */
const RESPONSE = 0x8000_0000;

let taken = 0;

function respond(frame: Buffer): Buffer | undefined {
  const command = frame.readUInt32BE(4);
  if (command >= RESPONSE) return undefined;
  if (command === SUBMIT) taken += 1;
  const body = Buffer.from(command === SUBMIT ? `${taken.toString(16)}\0` : "sink\0");
  const response = Buffer.alloc(HEADER_BYTES + body.length);
  response.writeUInt32BE(response.length, 0);
  response.writeUInt32BE(command + RESPONSE, 4);
  frame.copy(response, 12, 12, HEADER_BYTES);
  body.copy(response, HEADER_BYTES);
  return response;
}

const server = createServer((socket) => {
  const frames = new FrameReader();
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    frames.push(chunk);
    const responses: Buffer[] = [];
    for (let frame = frames.take(); frame !== undefined; frame = frames.take()) {
      const response = respond(frame);
      if (response !== undefined) responses.push(response);
    }
    if (responses.length > 0) socket.write(Buffer.concat(responses));
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => process.send?.({ taken }));
process.on("disconnect", () => process.exit());
