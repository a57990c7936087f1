// Tests the carrier against the server of the library `smpp`, an independent implementation of SMPP.

import type { AddressInfo, Server } from "node:net";
import { createServer, type PDU, type PeerPdu, type PeerSession } from "smpp";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createVirtualClock } from "../../development/clocks.ts";
import { unbounded } from "../../testing/scripted-provider.ts";
import { submissionOf, until } from "../../testing/scripted-smsc.ts";
import type { Provider, ProviderEvent } from "../provider.ts";
import { openSmppCarrier } from "./open-smpp-carrier.ts";
import { completeSmppSettings, type SmppSettings } from "./settings.ts";

let server: Server;
let session: PeerSession | undefined;
let submitted: PeerPdu[];
let unbinds: number;
let told: ProviderEvent[];
let carrier: Provider;

beforeEach(async () => {
  submitted = [];
  unbinds = 0;
  told = [];
  server = createServer((opened) => {
    opened.on("error", () => {});
    opened.on("bind_transceiver", (pdu) => {
      const isWelcome = pdu.system_id === "msgd" && pdu.password === "secret";
      opened.send(pdu.response(isWelcome ? {} : { command_status: 14 }));
      session = opened;
    });
    opened.on("submit_sm", (pdu) => {
      submitted.push(pdu);
      opened.send(pdu.response({ message_id: `A${submitted.length}` }));
    });
    opened.on("unbind", (pdu) => {
      unbinds += 1;
      opened.send(pdu.response());
      opened.close();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  session = undefined;
});

afterEach(async () => {
  await carrier.stop();
  expect(unbinds).toBe(1);
  await new Promise((closed) => server.close(closed));
});

async function open(longTexts: SmppSettings["longTexts"]): Promise<PeerSession> {
  carrier = await openSmppCarrier({
    name: "c",
    settings: completeSmppSettings({
      kind: "smpp",
      host: "127.0.0.1",
      port: (server.address() as AddressInfo).port,
      systemId: "msgd",
      password: "secret",
      sender: "Acme",
      longTexts,
    }),
    clock: createVirtualClock(0),
    logger: { warn: () => {}, error: () => {} },
  });
  carrier.start(async (event) => {
    told.push(event);
  });
  await until(() => session !== undefined);
  return session as PeerSession;
}

/** Retries until a session is bound. */
async function submit(content: string) {
  for (;;) {
    const outcome = await carrier.submit(submissionOf({ content }), unbounded);
    if (outcome.outcome !== "deferred") return outcome;
    await new Promise((resume) => setImmediate(resume));
  }
}

it("the carrier sends a text, and reports its receipt and the reply", async () => {
  const peer = await open("udh");
  expect(await submit("Prix: 5 € [net]")).toEqual({ outcome: "taken", providerMessageId: "a1", parts: ["a1"] });
  expect(submitted[0]).toMatchObject({
    source_addr: "Acme",
    destination_addr: "12025550100",
    esm_class: 0,
    data_coding: 0,
  });
  expect(submitted[0]?.short_message.message).toBe("Prix: 5 € [net]");
  let acknowledged = 0;
  const note = (response: PDU) => {
    acknowledged += response.command_status === 0 ? 1 : 0;
  };
  const text = "id:A1 sub:001 dlvrd:001 submit date:2603011200 done date:2603011201 stat:DELIVRD err:000 text:Prix";
  peer.deliver_sm({ esm_class: 4, source_addr: "12025550100", short_message: text }, note);
  peer.deliver_sm({ esm_class: 4, receipted_message_id: "A1", message_state: 2 }, note);
  peer.deliver_sm({ source_addr_ton: 1, source_addr: "12025550100", short_message: "Да, ок 😀" }, note);
  await until(() => acknowledged === 3);
  expect(told).toMatchObject([
    { kind: "part-receipt", part: "a1", status: "DELIVERED" },
    { kind: "part-receipt", part: "a1", status: "DELIVERED" },
    { kind: "inbound", from: "+12025550100", text: "Да, ок 😀" },
  ]);
});

it.each([
  ["udh", 3],
  ["sar", 3],
  ["payload", 1],
] as const)("the carrier sends a long text with %s", async (longTexts, count) => {
  const content = "Ωω ".repeat(50);
  await open(longTexts);
  expect(await submit(content)).toMatchObject({ outcome: "taken", parts: ["a1", "a2", "a3"].slice(0, count) });
  const parts = submitted.map(({ short_message, message_payload }) => {
    return (message_payload as { message?: string } | undefined)?.message ?? short_message.message;
  });
  expect(parts.join("")).toBe(content);
});
