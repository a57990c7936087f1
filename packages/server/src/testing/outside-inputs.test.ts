// Checks that even the most expensive input from outside takes no longer to read than a turn of the event loop may last (25
// ms). Compares CPU time with that of a yardstick, so that other work on the machine does not count.

import { once } from "node:events";
import { connect } from "node:net";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import nodemailer from "nodemailer";
import { describe, expect, it } from "vitest";
import { MessageReader } from "../carriers/freeswitch/event-socket.ts";
import type { Submission } from "../carriers/provider.ts";
import { readReceipt } from "../carriers/smpp/inbound.ts";
import { loadPduCodec } from "../carriers/smpp/pdus.ts";
import { openBounceListener } from "../carriers/smtp/bounces/bounce-listener.ts";
import { completeSmtpSettings } from "../carriers/smtp/settings.ts";
import { readFailure, readQueueId, writeMail } from "../carriers/smtp/smtp-carrier.ts";
import { createSignedTokens } from "../dashboard/signed-tokens.ts";
import { findCallbackUrlFault } from "../domain/callbacks/rules.ts";
import { readKeyword } from "../domain/consent/rules.ts";
import { createMessageTokens, readReturnAddress } from "../domain/message-tokens.ts";
import { parseNationalNumber, parsePhoneNumber } from "../domain/phone-numbers.ts";
import { parseSearch } from "../domain/recipients/search-language.ts";

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

type Run = () => unknown;

async function cpuMsOf(run: Run): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Returns the run's time as a multiple of `other`'s. Takes the shortest time of each, because garbage collection and other
 * processes add to single runs. After `FEWEST_PAIRS` pairs, ends as soon as the ratio is within `allowed`.
 */
async function ratioOf(run: Run, other: Run, allowed: number): Promise<number> {
  let [runMs, otherMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    otherMs = Math.min(otherMs, await cpuMsOf(other));
    runMs = Math.min(runMs, await cpuMsOf(run));
    if (pair + 1 >= FEWEST_PAIRS && runMs <= allowed * otherMs) break;
  }
  return runMs / otherMs;
}

const FEWEST_PAIRS = 3;
const PAIRS = 30;

/** Takes 15 ms on the machine of docs/benchmarks.md, which lists each input's time. A turn may take 25 ms there. */
const yardstickText = `[${"[],".repeat(2 ** 20 / 3)}[]]`;
const yardstick = () => JSON.parse(yardstickText);
const TIMES_YARDSTICK = 25 / 15;

const tokens = createMessageTokens("pepper", "bounce");
const signed = createSignedTokens("pepper", { purpose: "test", lastsMs: 1_000 });
const pdus = await loadPduCodec();
const surroundings = { now: 0, timezone: "UTC" };

const WIDE = "\ufdfa";

/** A kind of input: its most expensive inputs, and how to prepare the reading of one, whose cost alone is measured. */
type Input<T> = readonly [name: string, inputs: readonly T[], prepare: (input: T) => Run];
const of = <T>(...input: Input<T>) => input as Input<unknown>;

const inputs: readonly Input<unknown>[] = [
  of("a hundred phone numbers that the library has to parse", [0, 100, 200], (first) => {
    const numbers = Array.from({ length: 100 }, (_, index) => String(first + index));
    const [complete, national] = [
      numbers.map((number) => `+4400${number.padStart(9, "0")}`),
      numbers.map((number) => `${fill("0", 20)}${number}`),
    ];
    return () => {
      for (const number of complete) parsePhoneNumber(number);
      for (const number of national) parseNationalNumber(number, "44");
    };
  }),
  of("email addresses", [WIDE, "ß.", "a.", "xn--", "\u0345"], (unit) => {
    const address = `a@${fill(unit, 1_014)}`;
    return () => parseEmailAddress(address);
  }),
  of("searches", ["a ", '"', "-", "to:a ", "before:2026-01-01 ", WIDE], (unit) => {
    const search = fill(unit, 512);
    return () => parseSearch(search, surroundings);
  }),
  of("callback URLs", ["%61", "a.", "1.", "@", "ß", WIDE], (unit) => {
    const url = `https://${fill(unit, 2_040)}`;
    return () => findCallbackUrlFault(url, "public");
  }),
  of("replies of phones", [WIDE, " ", "STOP ", "\u0345"], (unit) => {
    const text = fill(unit, 39_000);
    return () => readKeyword(text, { optedOut: false });
  }),
  of("return addresses", ["+a-", "a-", "+"], (unit) => {
    const address = `${fill(unit, 4_090)}@x`;
    return () => readReturnAddress(address, tokens);
  }),
  of("tokens of sessions", ["a", ".", "a."], (unit) => {
    const token = `${fill("a", 5_000)}.${fill(unit, 10_000)}`;
    return () => signed.read(token, 0);
  }),
  of("PDUs of parameters alone", ["\u0004\u0024\0\0", "\u0020\0\0\0", "\0\u001e\0\u0001\0"], (parameter) => {
    const base = pdus.encode("deliver_sm", { short_message: Buffer.alloc(0), esm_class: 4 });
    const frame = Buffer.concat([base, Buffer.from(parameter.repeat(3_200), "latin1")]);
    frame.writeUInt32BE(frame.length);
    return () => readReceipt(pdus.decode(frame).pdu, "same");
  }),
  of("receipts of 60 kB", ["id:", "id:a ", " stat:x", "err: ", "text:"], (unit) => {
    const payload = { message_payload: Buffer.from(fill(unit, 60_000)), data_coding: 0 };
    const frame = pdus.encode("deliver_sm", { esm_class: 4, ...payload });
    return () => readReceipt(pdus.decode(frame).pdu, "same");
  }),
  of("events of the event socket", ["[],", '"a",'], (unit) => {
    const body = `[${fill(unit, 250_000).replace(/,?[^,]*$/, "")}]`;
    const bytes = Buffer.from(`Content-Type: text/event-json\nContent-Length: ${body.length}\n\n${body}`);
    return () => {
      const reader = new MessageReader();
      reader.push(bytes);
      JSON.parse(reader.take()?.body ?? "no event was read");
    };
  }),
  of("replies of SMTP servers", ["5.", "queued as ", "id=", "<", "5.7.1 "], (unit) => {
    const response = `550 ${fill(unit, 2 ** 20)}`;
    const failure = Object.assign(new Error(response), { response, responseCode: 550, command: "RCPT TO" });
    return () => {
      readFailure(failure, { attempts: 0, mayHaveLeft: false });
      readQueueId(response);
    };
  }),
];

it("bounces of 1.9 MB take no longer than a turn may", async () => {
  const logger = { warn: () => undefined, error: () => undefined };
  const read = async () => ({ names: [] });
  const listener = await openBounceListener({
    ...{ host: "127.0.0.1", port: 0, pepper: "pepper", logger, read },
    record: async () => undefined,
  });
  const bring = async (unit: string) => {
    const mail = `EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<x@x>\r\nDATA\r\n${fill(unit, 1_900_000)}\r\n.\r\nQUIT\r\n`;
    const socket = connect(listener.port, "127.0.0.1").resume();
    socket.write(mail);
    await once(socket, "close");
  };
  for (const unit of ["\n", "\r\n", "\r\n.\r", "..\r\n", "x"]) {
    const ratio = await ratioOf(() => bring(unit), yardstick, TIMES_YARDSTICK);
    expect(ratio, JSON.stringify(unit)).toBeLessThanOrEqual(TIMES_YARDSTICK);
  }
  await listener.close();
});

it.each(inputs)("%s take no longer than a turn may", async (_name, most, prepare) => {
  for (const input of most) {
    const ratio = await ratioOf(prepare(input), yardstick, TIMES_YARDSTICK);
    expect(ratio, JSON.stringify(input)).toBeLessThanOrEqual(TIMES_YARDSTICK);
  }
});

describe("a mail of 1 MiB", () => {
  /**
   * The most expensive mails take 1.4 times as long as a usual one, or 2.2 times while other suites run. In quoted-printable,
   * a million lines would take 5.5 times as long.
   */
  const TIMES_USUAL = 4;
  const settings = completeSmtpSettings({ kind: "smtp", host: "h", from: "a@b.example" });
  const parts = { settings, bounceTokens: tokens, unsubscribeTokens: tokens, publicUrl: undefined };
  const submission: Omit<Submission, "content"> = {
    ...{ clientReference: "msg_01JDMC0000ABCDEFGHJKMNPQRS", tenantId: 7, merchantId: "shop", to: "ada@example.com" },
    channel: "EMAIL",
    type: "TRANSACTIONAL",
    ...{ subject: "s", automatic: false, attempts: 0, giveUpAt: 0 },
  };
  const building = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const build = (unit: string, start = "") => {
    const content = start + fill(unit, Math.floor(2 ** 20 / Buffer.byteLength(unit)) * unit.length - start.length);
    return building.sendMail(writeMail(parts, { ...submission, content }, 0));
  };

  it("takes at most four times as long to build as a usual one, whatever its content", async () => {
    const usual = () => build("<p>Dear Ann, your order is on its way.</p>\n");
    await usual();
    const hostile: [unit: string, start?: string][] = [
      ...[["\n"], ["\r"], [".\n"], ["x \n"], ["\r\n.\r\n"], [" \n", "<pre>"], ["\0"], ["é"], ["😀"]],
      ...[["<"], ["<p>"], ["<table><tr><td>"], ["<ul><li>"], ["<a href=x>"], ["<!--"], ["<style>", "<p>"], ["<b><i>"]],
      ...[
        ["\n", "<p>"],
        ["&zwnj;", "<p>"],
        ["&nbsp;", "<p>"],
        ["\u200c", "<p>"],
        ["a=b ", "<p "],
        ["<h1>x</h1>"],
        ["x", "<p>"],
      ],
    ] as [string, string?][];
    const slow: unknown[] = [];
    for (const [unit, start] of hostile) {
      const ratio = await ratioOf(() => build(unit, start), usual, TIMES_USUAL);
      if (ratio > TIMES_USUAL) slow.push([unit, start, ratio]);
    }
    expect(slow).toEqual([]);
  }, 60_000);
});
