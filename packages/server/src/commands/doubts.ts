import type { Restored } from "../dispatch/messages/restoration.ts";

/** Describes what a restored database cannot know, and what happens to it. */
export function describeDoubts({ messages, underWay, payments }: Restored): string {
  return [
    `Since the backup was made, ${messages} messages and ${payments} payments that wait in it may have gone out, and calls`,
    "that it has yet to begin. The server asks the carrier about each before it hands anything over: what was taken is",
    "recorded, what was not is sent, and what the carrier cannot tell is left alone and ends UNKNOWN.",
    `${underWay} messages that were with the carrier are asked about once more.`,
    "What was accepted after the backup is not in it, nor the opt-outs that came since: do these again. Passwords, roles,",
    "disabled users and revoked keys are as of the backup: look through msgd users list and msgd keys list. Links that set a",
    "password have ended (msgd users reset gives another), and whoever was signed in to the dashboard signs in again.\n",
  ].join("\n");
}
