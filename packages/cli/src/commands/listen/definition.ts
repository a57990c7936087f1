import type { DefinedFlag, Definition } from "../../model/command.ts";
import { DEFAULT_HOST, DEFAULT_PORT, DEFAULT_TOLERANCE_SECONDS } from "./listen-defaults.ts";

const FLAGS: readonly DefinedFlag[] = [
  { flags: "--port <number>", description: `Port to listen on; 0 for any that is free. (default ${DEFAULT_PORT})` },
  { flags: "--host <address>", description: `Address to listen on. (default ${DEFAULT_HOST}: this machine alone)` },
  { flags: "--path <path>", description: "The only path that callbacks come to, such as /callbacks. (default any)" },
  {
    flags: "--secret-file <path>",
    description: "File of the secret to verify with, - for standard input; it may hold several.",
    repeatable: true,
  },
  { flags: "--no-verify", description: "Take callbacks of anybody, and mark each as not verified." },
  {
    flags: "--tolerance <seconds>",
    description: `How far a signature's time may be off. (default ${DEFAULT_TOLERANCE_SECONDS})`,
  },
  { flags: "--forward <url>", description: "Pass each event on to this handler, and answer with its status." },
  { flags: "--events <types>", description: "Types to show and forward, separated by commas; * ends a prefix." },
  { flags: "--count <number>", description: "End after so many events." },
];

export const listen: Definition = {
  summary: "Receive the service's callbacks: verify, print and forward them",
  description:
    "Receives the callbacks of the service: gives an address for callbackUrl, verifies each signature, and prints one line " +
    "an event; with --forward it also passes each on, byte for byte, to the handler that you are writing, and answers with " +
    "the handler's status, so that the service repeats what was not taken. What is not signed with the secret is refused " +
    "(400) and goes nowhere. The secret is read from --secret-file, MSGCTL_WEBHOOK_SECRET, or the demo server's folder; " +
    "while it is changed, give both.\n" +
    "It goes on until Ctrl-C, until --count events were shown, or for --timeout seconds; exit code 10 says that fewer than " +
    "--count came in that time.",
  arguments: [],
  flags: FLAGS,
  requests: "some",
  refuses: ["--base-url", "--retries"],
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
};
