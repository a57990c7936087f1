import { CliError } from "../../failures/errors.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { REGISTRATION_WAIT_SECONDS } from "../../operation/durations.ts";
import { accessFlags, fillHint } from "../../operation/hints.ts";
import type { Pace } from "../../operation/read-again.ts";
import { readWaitTimeout } from "../../operation/wait-options.ts";
import { readField } from "../../output/fields.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { follow } from "../../waiting/follow.ts";
import { createLiveLine } from "../../waiting/live-line.ts";
import { openRead } from "../../waiting/open-read.ts";
import { remedyFor } from "./registration-rules.ts";

/** A slow pace, since reviews take hours. */
const HOURS: Pace = { firstMs: 2_000, growth: 1.5, longestMs: 60_000 };

export const runRegistrationWait: CommandRun = async (line, io, context) => {
  const record = await context.catalog.record("getRegistrationStatus");
  const merchantId = line.arguments.get("merchant-id") ?? "";
  const wrong: { where: string; message: string }[] = [];
  const timeoutMs = readWaitTimeout(line.flags.waitTimeout, wrong, REGISTRATION_WAIT_SECONDS);
  const values = new Map([["merchant-id", merchantId]]);
  const opened = await openRead({ record, values, wrong }, line, io, context);
  if (opened === undefined) return;
  const { options, read, readOther, print, command } = opened;
  const live = createLiveLine(io.stderr, { ...options, isLogged: false });
  const subject = `merchant ${merchantId}`;
  const isReady = (view: unknown) => readField(view, "readyToSend") === true;
  const readReason = (view: unknown) => String(readField(view, "blockingReason") ?? "not ready");
  const beganAtMs = io.clock.now();
  let shown: string | undefined;
  const final = await follow(
    {
      ...{ subject, again: command("registration", "wait", merchantId), read, pace: HOURS, timeoutMs, line: live },
      hasAnswered: false,
      stateOf: (view) => (isReady(view) ? "ready" : `not ready: ${readReason(view)}`),
      isOver: (view) => isReady(view) || remedyFor(readReason(view)) !== undefined,
      onRead(view) {
        const state = isReady(view) ? "Ready to send." : `Not ready: ${readReason(view)}.`;
        if (state !== shown) live.say(state);
        shown = state;
        if (isReady(view)) return;
        const seconds = Math.round((io.clock.now() - beganAtMs) / 1000);
        live.show(`Waiting for ${subject}: ${readReason(view)} (${seconds} s)`);
      },
    },
    io,
  );
  await print(final);
  if (isReady(final)) return;
  const reason = readReason(final);
  const message = `${subject} is not ready to send, and waiting does not help: ${reason}`;
  // the command that activates the merchant must repeat its display name
  const merchant = reason === "MERCHANT_INACTIVE" ? await readOther(await context.catalog.record("getMerchant")) : {};
  const error = new CliError(EXIT.partial, "registration_stuck", message, { reply: { ...Object(merchant) } });
  const failed = { record, values, body: undefined, error, access: accessFlags(options) };
  throw new CliError(error.exitCode, error.code, message, { hints: [fillHint(remedyFor(reason) ?? "", failed)] });
};
