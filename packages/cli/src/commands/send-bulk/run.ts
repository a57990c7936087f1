import { CHANNEL_VALUES } from "@msgctl/contract/constants";
import { runBulk } from "../../bulk/run-bulk.ts";
import { InputError } from "../../failures/errors.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { createSendJob } from "./send-job.ts";

const OPERATIONS = { SMS: "sendSms", VOICE: "sendVoice", EMAIL: "sendEmail" } as const;

export const runSendBulk: CommandRun = async (line, io, context) => {
  const channel = CHANNEL_VALUES.find((name) => name === line.flags.channel);
  if (channel === undefined) {
    const message = `missing: the channel of all rows, one of ${CHANNEL_VALUES.join(", ")}`;
    throw new InputError([], [{ where: "--channel", message }], ["Run `msgctl send bulk --help`."]);
  }
  const record = await context.catalog.record(OPERATIONS[channel]);
  await runBulk(createSendJob(channel, record), line, io, context);
};
