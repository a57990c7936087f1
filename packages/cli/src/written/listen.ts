import { LISTEN_FLAGS } from "../listen/listen-flags.ts";
import { runListen } from "../listen/run-listen.ts";
import type { WrittenCommand } from "./written-command.ts";

export const listen: WrittenCommand = {
  words: "listen",
  description:
    "Receives the callbacks of the service: gives an address for callbackUrl, verifies each signature, and prints one line " +
    "an event; with --forward it also passes each on, byte for byte, to the handler that you are writing, and answers with " +
    "the handler's status, so that the service repeats what was not taken. What is not signed with the secret is refused " +
    "(400) and goes nowhere. The secret is read from --secret-file, MSGCTL_WEBHOOK_SECRET, or the demo server's folder; " +
    "while it is changed, give both.\n" +
    "It goes on until Ctrl-C, until --count events were shown, or for --timeout seconds; exit code 10 says that fewer than " +
    "--count came in that time.",
  arguments: [],
  flags: LISTEN_FLAGS,
  examples: [
    {
      title: "See the demo server's callbacks for five seconds",
      argv: ["listen", "--profile", "demo", "--timeout", "5"],
    },
    {
      title: "Try a handler with those of calls that are over",
      argv: [
        ...["listen", "--profile", "demo", "--port", "0", "--timeout", "5"],
        ...["--forward", "http://127.0.0.1:3000/callbacks", "--events", "voice.tts_call.finalized"],
      ],
    },
    {
      title: "Take events from anybody, for a program that wants their data",
      argv: ["listen", "--no-verify", "--port", "0", "--timeout", "5", "-o", "jsonl", "--query", "event.data"],
    },
  ],
  run: runListen,
};
