import type { Access } from "../../call/access/access.ts";
import { checkCredential } from "../../call/check-credential.ts";
import { CliError } from "../../failures/errors.ts";
import type { CommandContext, CommandRun } from "../../model/catalog.ts";
import type { CommandLine } from "../../model/command.ts";
import { type OpenLine, openLine } from "../../operation/open-line.ts";
import { printable } from "../../output/printable.ts";
import { COLOURED, PLAIN, type Style } from "../../output/text/style.ts";
import { pad } from "../../output/text/width.ts";
import { readSettings } from "../../process/config.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";
import { type Check, createResults } from "./check.ts";
import { checkConfiguration, checkCredentialSource, checkFolders, checkNode, failed } from "./machine.ts";
import { type Probe, probe } from "./probe.ts";
import { checkClock, checkContract, checkProxy, checkReachable, checkTls } from "./service.ts";

export const runDoctor: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await open(line, io, context);
  refuse([]);
  const { access, check } = checkCredentialSource(options, settings, io.cwd);
  const checks = [
    checkNode(io.nodeVersion),
    checkConfiguration(settings),
    checkFolders(settings),
    check,
    ...(await askService(access, { settings, options }, io, context)),
  ];
  if (options.output === "table" && options.query === undefined && options.columns === undefined)
    io.stdout.write(asText(checks, context.isColoured ? COLOURED : PLAIN));
  else await print(checks.map(({ exitCode, ...shown }) => shown));
  const failures = checks.filter(({ status }) => status === "fail");
  const [first] = failures;
  if (first === undefined) return;
  const message = `${failures.length} of ${checks.length} checks failed: ${failures.map(({ check: name }) => name).join(", ")}`;
  throw new CliError(first.exitCode, "doctor_failed", message, { hints: first.fix === null ? [] : [first.fix] });
};

/** Opens the command line. If its configuration is invalid, uses none: doctor itself reports the error. */
async function open(line: CommandLine, io: Io, context: CommandContext): Promise<OpenLine> {
  try {
    return await openLine(line, io, context);
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.auth) throw error;
    const { profile, ...globalFlags } = line.globalFlags;
    const env = { ...io.env, MSGCTL_API_KEY: "none" };
    const opened = await openLine({ ...line, globalFlags }, { ...io, env }, context);
    const named = typeof profile === "string" ? profile : undefined;
    return { ...opened, settings: readSettings(io.env), options: { ...opened.options, profile: named } };
  }
}

const LONGEST_PROBE_MS = 10_000;

async function askService(
  access: Access | undefined,
  { settings, options: { timeoutMs } }: Pick<OpenLine, "settings" | "options">,
  io: Io,
  context: CommandContext,
): Promise<Check[]> {
  const results = createResults("credential", EXIT.auth);
  if (access === undefined) {
    const names = ["proxy", "address", "tls", "clock", "contract"].map((name) => createResults(name, EXIT.network));
    return [...names, results].map(({ skip }) => skip("not checked: no service address is configured"));
  }
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(Math.min(timeoutMs, LONGEST_PROBE_MS))]);
  const answer = await probe(`${access.baseUrl}/openapi.json`, access.proxy, signal).catch((error: Error) => error);
  if (io.signal.aborted) throw new CliError(EXIT.interrupted, "interrupted", "interrupted before all checks were done");
  const credential = await askCredential(answer, results, () => checkCredential(access, { timeoutMs, io, context }));
  return [
    checkProxy(access, settings, answer),
    checkReachable(access, answer, credential),
    checkTls(access, settings, answer),
    checkClock(answer),
    checkContract(context.catalog.index, answer),
    credential,
  ];
}

async function askCredential(
  answer: Probe | Error,
  { ok, fail, skip }: ReturnType<typeof createResults>,
  ask: () => Promise<void>,
): Promise<Check> {
  if (answer instanceof Error) return skip("not checked: the service did not respond");
  try {
    await ask();
    return ok("accepted by the service");
  } catch (error) {
    return { ...failed(error, fail), ...(error instanceof CliError && { exitCode: error.exitCode }) };
  }
}

const PAINTS: Readonly<Record<Check["status"], keyof Style>> = {
  ok: "green",
  warn: "yellow",
  fail: "red",
  skip: "dim",
};

function asText(checks: readonly Check[], style: Style): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const before = " ".repeat("warn".length + width + 4);
  return checks
    .flatMap(({ check, status, message, fix }) => [
      `${style[PAINTS[status]](pad(status, "warn".length))}  ${style.bold(pad(check, width))}  ${printable(message)}`,
      ...(fix === null ? [] : [`${before}${printable(fix)}`]),
    ])
    .map((text) => `${text}\n`)
    .join("");
}
