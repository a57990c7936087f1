import type { Definition } from "../../model/command.ts";
import { REGISTRATION_WAIT_SECONDS } from "../../operation/durations.ts";
import { waitTimeoutFlag } from "../../operation/wait-flags.ts";

export const registrationWait: Definition = {
  summary: "Wait until a merchant may send",
  description:
    "Waits until a merchant may send registered SMS, then prints its registration. While it waits, each change of the blocking " +
    "reason is printed on standard error.\n\n" +
    "Exits with 0 when the merchant is ready, and with 8 at once if waiting does not help, such as after a rejection; an error " +
    "then says what to do instead. Exits with 10 when --wait-timeout has passed, and with 130 on Ctrl-C; the review continues.",
  arguments: [{ name: "merchant-id", description: "Identifier of the merchant.", complete: "merchantId" }],
  flags: [waitTimeoutFlag(`${REGISTRATION_WAIT_SECONDS}, two days`)],
  requests: "one",
  examples: [
    {
      title: "Wait for ten minutes at most",
      argv: ["registration", "wait", "bright-dental", "--wait-timeout", "600"],
    },
  ],
};
