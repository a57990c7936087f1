// `msgd processors set`, `show`, `test` and `remove`.

import type { ProcessorSettings } from "../carriers/processor-kind.ts";
import {
  findProcessorKindFault,
  processorSchemaOf,
  requireProcessorKind,
  testProcessor,
  withoutProcessorSecrets,
} from "../carriers/processor-kinds.ts";
import {
  countHeldPayments,
  findProcessor,
  findProcessorEventsId,
  forgetProcessors,
  insertProcessor,
  type ProcessorRow,
  releaseHeldPayments,
  removeProcessor,
  saveProcessorState,
} from "../domain/billing/processor-rows.ts";
import { viewTime } from "../domain/calendar.ts";
import { REMOVED_KEPT_MS } from "../domain/carriers/rules.ts";
import { objectOf } from "../domain/document-checks.ts";
import { countWaitingPayments, MOST_COUNTED } from "../domain/reports/backlog-rows.ts";
import { bindProcessor } from "../domain/tenancy/credentials.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { requirePrivateFile } from "../platform/data-folder.ts";
import type { Store } from "../store/store.ts";
import { drawEventsId, drawName, findEventsUrl, readTenantOrAll } from "./carriers.ts";
import { noteCommand } from "./command-audit.ts";
import { type Installation, withKnownStore } from "./database.ts";
import { type CommandEnvironment, type OutputFlags, print, toPrintable } from "./environment.ts";
import { findShapeFaults, readJsonFile, requireFaultless } from "./json-file.ts";
import { requireTenant } from "./tenants.ts";

export interface ProcessorFlags extends OutputFlags {
  readonly tenant: string;
}

/** `msgd processors set`: sets a tenant's payment processor; replaces an earlier one. Reports all faults at once. */
export async function runProcessorsSet(
  flags: ProcessorFlags & { file: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readTenantOrAll(flags.tenant);
  const settings = requireSettings(readJsonFile(flags.file), tenantId);
  requirePrivateFile(flags.file);
  const { kind } = settings;
  await withKnownStore(flags, environment, async (store, installation) => {
    await requireLiveTenant(store, tenantId);
    const { seal } = await installation.openSecretBox(store);
    const name = drawName(kind);
    const now = environment.clock.now();
    const sealedSettings = seal(JSON.stringify(settings), bindProcessor({ name, tenantId }));
    const { row, before, held, waiting } = await store.write(async (tx) => {
      const before = await findProcessor(tx, tenantId);
      // Stripe has been told the URL
      const eventsId = (await findProcessorEventsId(tx, tenantId, kind)) ?? drawEventsId();
      if (before !== undefined) await removeProcessor(tx, before.name, now);
      await forgetProcessors(tx, now - REMOVED_KEPT_MS);
      const row = { name, tenantId, kind, sealedSettings, eventsId, servesFrom: before?.servesFrom ?? now, setAt: now };
      await insertProcessor(tx, row);
      await noteCommand(tx, environment, { tenantId, operation: "processors set", target: `processor ${name}` });
      const scope = tenantId === EVERY_TENANT ? {} : { tenantId };
      const waiting = await countWaitingPayments(tx, { ...scope, most: MOST_COUNTED });
      return { row, before, waiting, held: await countHeldPayments(tx, tenantId) };
    });
    const { err } = environment.output;
    print(environment.output, flags.output, view(row));
    const instead = before === undefined ? "" : `, in place of ${before.name}`;
    err(`Payments accepted from now on are charged through it${instead}.\n`);
    if (waiting.count > 0)
      err(`Payments that wait for you, and are not charged: ${waiting.count} (msgd payments list).\n`);
    if (held > 0) err(`Open payments, which are looked up with the new settings and not requested again: ${held}.\n`);
    describeEvents(row, installation, environment);
    err(`Test it: msgd processors test --tenant ${flags.tenant}\n`);
  });
}

function describeEvents(
  row: Pick<ProcessorRow, "kind" | "eventsId">,
  installation: Installation,
  environment: CommandEnvironment,
): void {
  const url = findEventsUrl({ eventsId: row.eventsId }, installation, environment);
  const { err } = environment.output;
  if (url === undefined) {
    err(
      "Warning: nothing is charged until the server has a public URL (msgd serve --public-url), to which it reports.\n",
    );
    return;
  }
  const events = requireProcessorKind(row).events.join("\n  ");
  err(`It has to post these events to this URL, which is secret:\n  ${url}\n  ${events}\n`);
}

/** `msgd processors show`: prints the settings of the processor in use. For a secret it prints only that it is set. */
export async function runProcessorsShow(flags: ProcessorFlags, environment: CommandEnvironment): Promise<void> {
  const tenantId = readTenantOrAll(flags.tenant);
  await withKnownStore(flags, environment, async (store, installation) => {
    const row = await requireProcessor(store, tenantId);
    const settings = await openSettings(store, installation, row);
    const eventsUrl = findEventsUrl({ eventsId: row.eventsId }, installation, environment);
    const openPayments = await store.read((tx) => countHeldPayments(tx, tenantId));
    const state = {
      answeredAt: viewTime(row.answeredAt),
      downSince: viewTime(row.downSince),
      downWords: row.downWords,
    };
    const viewed = { ...view(row), ...state, openPayments, ...(eventsUrl === undefined ? {} : { eventsUrl }) };
    const shown = { ...viewed, settings: withoutProcessorSecrets(settings) };
    const { output } = environment;
    if (flags.output === "json") output.out(`${JSON.stringify(shown)}\n`);
    else {
      print(output, "text", viewed);
      output.out(`\n${JSON.stringify(shown.settings, null, 2).split("\n").map(toPrintable).join("\n")}\n`);
    }
  });
}

/** `msgd processors test`: tests the key and the events of the processor in use, and charges nothing. */
export async function runProcessorsTest(flags: ProcessorFlags, environment: CommandEnvironment): Promise<void> {
  const tenantId = readTenantOrAll(flags.tenant);
  await withKnownStore(flags, environment, async (store, installation) => {
    const row = await requireProcessor(store, tenantId);
    const settings = await openSettings(store, installation, row);
    const eventsUrl = findEventsUrl({ eventsId: row.eventsId }, installation, environment);
    const { clock, fetch, output } = environment;
    const findings = await testProcessor(settings, { clock, eventsUrl, fetch });
    await store.write((tx) => saveProcessorState(tx, { name: row.name, downWords: undefined, now: clock.now() }));
    for (const finding of findings) output.err(`${finding}\n`);
    print(output, flags.output, view(row));
  });
}

/** `msgd processors remove`: removes the processor in use. Its open payments are left to the operator. */
export async function runProcessorsRemove(flags: ProcessorFlags, environment: CommandEnvironment): Promise<void> {
  const tenantId = readTenantOrAll(flags.tenant);
  await withKnownStore(flags, environment, async (store) => {
    const row = await requireProcessor(store, tenantId);
    const held = await store.write(async (tx) => {
      const held = await countHeldPayments(tx, tenantId);
      await releaseHeldPayments(tx, tenantId, `its processor ${row.name} was removed`);
      await removeProcessor(tx, row.name, environment.clock.now());
      const target = `processor ${row.name}`;
      await noteCommand(tx, environment, { tenantId, operation: "processors remove", target });
      return held;
    });
    print(environment.output, flags.output, { ...view(row), openPayments: held });
    const { err } = environment.output;
    err("New payments wait for you, or for the processor of all tenants if there is one.\n");
    if (held > 0) {
      err(
        `Open payments that are left to you: ${held}. Find out at the processor what became of them, and settle them:\n`,
      );
      err("  msgd payments list\n");
    }
  });
}

/** Throws an error with a line for each fault of the document. */
function requireSettings(document: unknown, tenantId: number): ProcessorSettings {
  const undone = "nothing was set";
  const kindFault = findProcessorKindFault(document);
  if (kindFault !== undefined) requireFaultless([kindFault], undone);
  const kind = requireProcessorKind(document as ProcessorSettings);
  const faults = kind.findFaults(objectOf(document, ""), { isForAllTenants: tenantId === EVERY_TENANT });
  requireFaultless([...findShapeFaults(document, processorSchemaOf(kind)), ...faults], undone);
  return kind.complete(document as object);
}

/** Throws for a test tenant, whose payments must not move money. */
async function requireLiveTenant(store: Store, tenantId: number): Promise<void> {
  if (tenantId === EVERY_TENANT) return;
  const { mode } = await requireTenant(store, tenantId);
  if (mode === "live") return;
  throw new Error(
    `tenant ${tenantId} is a test tenant, whose payments are simulated: msgd tenants list shows live ones`,
  );
}

async function requireProcessor(store: Store, tenantId: number): Promise<ProcessorRow> {
  const row = await store.read((tx) => findProcessor(tx, tenantId));
  if (row !== undefined) return row;
  const owner = tenantId === EVERY_TENANT ? "tenants have no common processor" : `tenant ${tenantId} has no processor`;
  throw new Error(`${owner} of its own: set one with msgd processors set`);
}

async function openSettings(store: Store, installation: Installation, row: ProcessorRow): Promise<ProcessorSettings> {
  const box = await installation.openSecretBox(store);
  return JSON.parse(box.open(row.sealedSettings, bindProcessor(row)));
}

function view({ name, tenantId, kind, setAt }: Pick<ProcessorRow, "name" | "tenantId" | "kind" | "setAt">) {
  const owner = tenantId === EVERY_TENANT ? "all" : String(tenantId);
  return { name, tenantId: owner, kind, setAt: viewTime(setAt) };
}
