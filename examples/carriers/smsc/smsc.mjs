// An SMS carrier to try msgd with (SMPP 3.4): it accepts every text, and reports its delivery a moment later. If a text
// contains STOP, it replies STOP in the recipient's name, once per recipient. It forwards nothing. It prints each text that
// it receives or sends.

import { createServer } from "smpp";

const { SMSC_HOST = "127.0.0.1", SMSC_PORT = "2775" } = process.env;
const { SMSC_SYSTEM_ID = "msgd", SMSC_PASSWORD = "local-pw", SMSC_RECEIPT_MS = "1000" } = process.env;
/** Error codes of the standard. */
const NOT_BOUND = 4;
const WRONG_PASSWORD = 14;
const IS_RECEIPT = 4;
const DELIVERED = 2;
const INTERNATIONAL = 1;

/** Recipients that have replied. A second reply would answer msgd's confirmation of the first. */
const replied = new Set();
let count = 0;

const server = createServer((session) => {
  let isBound = false;

  session.on("error", () => session.close());
  session.on("bind_transceiver", (pdu) => {
    isBound = pdu.system_id === SMSC_SYSTEM_ID && pdu.password === SMSC_PASSWORD;
    console.log(isBound ? `bound by ${pdu.system_id}` : `refused a bind by ${pdu.system_id}`);
    session.send(pdu.response(isBound ? {} : { command_status: WRONG_PASSWORD }));
  });
  session.on("enquire_link", (pdu) => session.send(pdu.response()));
  session.on("unbind", (pdu) => {
    session.send(pdu.response());
    session.close();
  });
  session.on("submit_sm", (pdu) => {
    if (!isBound) return session.send(pdu.response({ command_status: NOT_BOUND }));
    count += 1;
    const id = count.toString(16).padStart(8, "0");
    const text = pdu.short_message.message;
    console.log(`${id} to ${pdu.destination_addr}: ${text}`);
    session.send(pdu.response({ message_id: id }));
    setTimeout(() => answer(id, text, pdu), Number(SMSC_RECEIPT_MS));
  });

  /** @param {string} id @param {string} text @param {import("smpp").PeerPdu} submitted */
  function answer(id, text, { source_addr, source_addr_ton, destination_addr, dest_addr_ton }) {
    const back = { source_addr: destination_addr, source_addr_ton: dest_addr_ton };
    const deliver = { ...back, destination_addr: source_addr, dest_addr_ton: source_addr_ton };
    const at = new Date().toISOString().replaceAll(/\D/g, "").slice(2, 12);
    const receipt = `id:${id} sub:001 dlvrd:001 submit date:${at} done date:${at} stat:DELIVRD err:000 text:`;
    console.log(`${id} receipt: DELIVRD`);
    const proof = { receipted_message_id: id, message_state: DELIVERED };
    session.deliver_sm({ ...deliver, ...proof, esm_class: IS_RECEIPT, short_message: receipt });
    if (!text.includes("STOP") || replied.has(destination_addr)) return;
    replied.add(destination_addr);
    console.log(`${id} reply from ${destination_addr}: STOP`);
    session.deliver_sm({ ...deliver, source_addr_ton: INTERNATIONAL, short_message: "STOP" });
  }
});
server.listen(Number(SMSC_PORT), SMSC_HOST, () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on ${SMSC_HOST}:${port}`);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
