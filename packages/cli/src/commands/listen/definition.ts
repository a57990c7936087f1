import type { DefinedFlag, Definition } from "../../model/command.ts";
import { DEFAULT_HOST, DEFAULT_PORT, DEFAULT_TOLERANCE_SECONDS } from "./listen-defaults.ts";

const FLAGS: readonly DefinedFlag[] = [
  { flags: "--port <number>", description: `Port to listen on; 0 picks a free one. (default ${DEFAULT_PORT})` },
  { flags: "--host <address>", description: `Address to listen on. (default ${DEFAULT_HOST}: this machine only)` },
  { flags: "--path <path>", description: "Path that accepts callbacks, such as /callbacks. (default any)" },
  {
    flags: "--secret-file <path>",
    description: "File that holds the callback secret, or several; - for standard input.",
    repeatable: true,
  },
  { flags: "--no-verify", description: "Accept unsigned callbacks, and mark each as not verified." },
  {
    flags: "--tolerance <seconds>",
    description: `Maximum age of a signature, in seconds. (default ${DEFAULT_TOLERANCE_SECONDS})`,
  },
  { flags: "--forward <url>", description: "Forward each event to this URL, and return its status." },
  {
    flags: "--events <types>",
    description: "Types to show and forward, separated by commas, such as voice.* or message.received.",
  },
  { flags: "--count <number>", description: "Exit after this many events." },
];

export const listen: Definition = {
  summary: "Receive the service's callbacks: verify, print and forward them",
  description:
    "Receives the callbacks of the service: prints the address to use as callbackUrl, verifies each signature, and prints one line " +
    "per event. From the demo server it also receives the events of messages. With --forward, it also sends each event unchanged to your handler and returns " +
    "the handler's status, so that the service retries events that the handler refused. Callbacks with a wrong signature are refused " +
    "(400) and not forwarded. The secret is read from --secret-file, MSGCTL_WEBHOOK_SECRET, or the demo server's folder; " +
    "while the secret is being replaced, give the old and the new one.\n" +
    "Stops on Ctrl-C, after --count events, or after --timeout seconds. Exits with 10 if fewer than " +
    "--count events arrived in that time.",
  arguments: [],
  flags: FLAGS,
  requests: "some",
  refuses: ["--base-url", "--retries"],
  examples: [
    {
      title: "Show the demo server's callbacks for five seconds",
      argv: ["listen", "--profile", "demo", "--timeout", "5"],
    },
    {
      title: "Forward events of completed calls to a handler",
      argv: [
        ...["listen", "--profile", "demo", "--port", "0", "--timeout", "5"],
        ...["--forward", "http://127.0.0.1:3000/callbacks", "--events", "voice.tts_call.finalized"],
      ],
    },
    {
      title: "Forward texts from phones to a handler",
      argv: [
        ...["listen", "--profile", "demo", "--port", "0", "--timeout", "5"],
        ...["--forward", "http://127.0.0.1:3000/events", "--events", "message.received"],
      ],
    },
    {
      title: "Accept unsigned events, and print their data for a program",
      argv: ["listen", "--no-verify", "--port", "0", "--timeout", "5", "-o", "jsonl", "--query", "event.data"],
    },
  ],
};
