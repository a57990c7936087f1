/** Runs `msgctl listen`. */
import { createSender } from "../../call/node-transport.ts";
import { findProxy } from "../../call/proxy/find-proxy.ts";
import type { Fault } from "../../failures/errors.ts";
import { isLoopback } from "../../flags/base-url.ts";
import type { CommandContext } from "../../model/catalog.ts";
import type { CommandLine } from "../../model/command.ts";
import { openLine } from "../../operation/open-line.ts";
import { printable } from "../../output/printable.ts";
import { COLOURED, PLAIN } from "../../output/text/style.ts";
import { truncate } from "../../output/text/width.ts";
import { wrap } from "../../output/text/wrap.ts";
import { hasColour } from "../../process/config.ts";
import type { Io, Sink } from "../../process/io.ts";
import { directEvents } from "./demo-events.ts";
import { reportEnd, waitForEnd } from "./ending.ts";
import { createPrinter } from "./event-printer.ts";
import { EVENT_OUTPUT } from "./event-record.ts";
import { createEventRows } from "./event-rows.ts";
import { createForward } from "./forward.ts";
import { isWanted, readListenFlags } from "./listen-flags.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { createSession } from "./session.ts";
import { createSessionPrinter, greeting } from "./session-printer.ts";
import { judge } from "./verdict.ts";
import { findSecrets } from "./webhook-secrets.ts";

/** Shorter than the 15 s after which the service abandons an attempt, so that the service still gets an answer. */
const FORWARD_MS = 14_000;
/** Time that requests in flight get to finish when listening ends. */
const GRACE_MS = 5_000;

/** Listens until a condition in ending.ts is met. @throws {CliError} If listening fails or is interrupted. */
export async function runListen(line: CommandLine, io: Io, context: CommandContext): Promise<void> {
  const buffer = createTextBuffer(io.stdout);
  const { settings, options, refuse, print } = await openLine(line, { ...io, stdout: buffer.sink }, context, {
    output: EVENT_OUTPUT,
    isStream: true,
  });
  const faults: Fault[] = [];
  const flags = readListenFlags(line, options.timeoutMs, faults);
  const { profile, quiet, verbose } = options;
  const found = flags.isVerifying
    ? await findSecrets({ files: flags.secretFiles, profile }, settings, io, faults)
    : undefined;
  refuse(faults, flags.isVerifying && found === undefined ? [NO_SECRET] : []);

  const style = line.globalFlags.color !== false && hasColour(io.env, io.stderr) ? COLOURED : PLAIN;
  const say = createLineWriter(io.stderr);
  const cut = new AbortController();
  const printer = createPrinter({
    format: options.output,
    isQueried: options.query !== undefined,
    row: createEventRows({
      columns: options.columns,
      isForwarding: flags.forward !== undefined,
      style: context.isColoured ? COLOURED : PLAIN,
      zone: io.zoneOffsetMinutes,
      width: io.stdout.isTTY ? io.stdout.columns : undefined,
    }),
    render: async (record) => {
      await print(record);
      return buffer.take();
    },
    stdout: io.stdout,
  });
  const session = createSession({
    judge: (delivery, now) => judge(delivery, { secrets: found?.secrets, toleranceMs: flags.toleranceMs }, now),
    isVerifying: flags.isVerifying,
    wants: (type) => isWanted(type, flags.events),
    forward:
      flags.forward &&
      createForward(flags.forward, {
        ...{ timeoutMs: FORWARD_MS, signal: cut.signal },
        proxy: findProxy(settings.proxies, flags.forward.href),
      }),
    count: flags.count,
    show: printer.show,
    listener: createSessionPrinter(say, style, quiet),
    now: io.clock.now,
  });
  const receiver = await openReceiver({
    ...flags,
    take: session.take,
    refused: (request, reason) => say(`${style.yellow("refused:")} ${shownRequest(request)}: ${reason}`),
    answered: (request, status) => verbose && say(style.dim(`< ${shownRequest(request)}, answered ${status}`)),
  });
  io.setInterruptionGrace(GRACE_MS + 1_000);
  const { url } = receiver;
  const directed =
    found?.demoUrl !== undefined && isLoopback(url)
      ? await directEvents({ baseUrl: found.demoUrl, url }, createSender(undefined))
      : undefined;
  const hasMessageEvents = directed !== undefined;
  if (!quiet) for (const text of greeting(flags, found, { url, hasMessageEvents })) say(text);
  const end = await waitForEnd(session, flags, io).finally(async () => {
    if (!quiet && receiver.openCount > 0 && io.signal.aborted) {
      say(`Waiting for callbacks in progress (${receiver.openCount}). Press Ctrl-C again to stop at once.`);
    }
    await directed?.putBack();
    await close(receiver, cut);
  });
  reportEnd(end, session, flags, (text) => quiet || say(text));
}

/** Creates a sink that buffers its text until it is taken. */
function createTextBuffer(stdout: Sink) {
  let buffered = "";
  const write = (text: string) => {
    buffered += text;
  };
  return {
    sink: { ...stdout, write },
    take() {
      const text = buffered;
      buffered = "";
      return text;
    },
  };
}

/** Returns a function that writes a line to standard error, wrapped to the terminal's width. */
function createLineWriter(stderr: Sink): (text: string) => void {
  return (text) => {
    const lines = stderr.isTTY && stderr.columns !== undefined ? wrap(text, stderr.columns, "  ") : [text];
    stderr.write(lines.map((part) => `${part}\n`).join(""));
  };
}

const NO_SECRET: Fault = {
  where: "--secret-file",
  message:
    "missing: the callback secret. `msgd callbacks secret --tenant <id>` prints it; a demo server's secret is read " +
    "from the folder where npm start was run. Set MSGCTL_WEBHOOK_SECRET, or give --no-verify to skip the check",
};

/** Truncates the request line: the sender controls the length of its address. */
function shownRequest(line: string): string {
  return printable(truncate(line, 100));
}

async function close(receiver: Receiver, cut: AbortController): Promise<void> {
  const closing = receiver.close(GRACE_MS);
  const timer = setTimeout(() => cut.abort(), GRACE_MS - 500);
  await closing;
  clearTimeout(timer);
  cut.abort();
}
