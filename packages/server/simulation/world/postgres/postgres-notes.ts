// Notes that triggers write in PostgreSQL, and each recipient's decisions by commit.

import type { SessionPort } from "../../../src/platform/postgres/sessions.ts";
import type { Decision, Move, NotedDial, NotedLease, Notes } from "../database.ts";

/** A table for each kind of note, and the trigger that writes to it. */
const watching = [
  `CREATE TABLE noted_moves (position bigserial, "messageId" text, "from" text, "to" text)`,
  `CREATE TABLE noted_leases (position bigserial, backend int, "messageId" text, "merchantId" text, channel text, type text,
     purpose text, owner text)`,
  `CREATE TABLE noted_decisions (position bigserial, owner text, status text)`,
  `CREATE TABLE noted_dials (position bigserial, "requestId" bigint, zone text, at bigint)`,
  `CREATE FUNCTION note_dial() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO noted_dials ("requestId", zone, at) VALUES (new.request_id, new.execution_timezone, new.updated_at);
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION note_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO noted_moves ("messageId", "from", "to") VALUES (new.message_id, old.status, new.status);
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO noted_leases (backend, "messageId", "merchantId", channel, type, purpose, owner)
     SELECT pg_backend_pid(), message_id, merchant_id, channel, type, purpose,
            concat_ws(' ', tenant_id, merchant_id, channel, recipient)
       FROM messages WHERE message_id = new.message_id;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION note_decision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO noted_decisions (owner, status)
     VALUES (concat_ws(' ', new.tenant_id, new.merchant_id, new.channel, new.contact), new.status);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER note_move AFTER UPDATE OF status ON messages FOR EACH ROW
     WHEN (new.status <> old.status) EXECUTE FUNCTION note_move()`,
  `CREATE TRIGGER note_lease AFTER UPDATE ON outbox FOR EACH ROW
     WHEN (new.lease_token IS NOT NULL AND new.lease_token IS DISTINCT FROM old.lease_token) EXECUTE FUNCTION note_lease()`,
  `CREATE TRIGGER note_next_lease AFTER UPDATE ON dispatches FOR EACH ROW
     WHEN (new.state = 'submitting' AND new.lease_token IS DISTINCT FROM old.lease_token) EXECUTE FUNCTION note_lease()`,
  `CREATE TRIGGER note_dial AFTER UPDATE OF status ON tts_calls FOR EACH ROW
     WHEN (new.status = 'DIALING' AND old.status <> 'DIALING' AND new.execution_timezone IS NOT NULL)
     EXECUTE FUNCTION note_dial()`,
  `CREATE TRIGGER note_decision AFTER INSERT OR UPDATE OF status ON consents FOR EACH ROW
     EXECUTE FUNCTION note_decision()`,
];

export const noteTables = ["noted_moves", "noted_leases", "noted_decisions", "noted_dials"] as const;

// Reads only the notes: a schema change may have locked the tables that the notes describe.
const leases = `
  SELECT backend, "messageId", "merchantId", channel, type, purpose, owner FROM noted_leases ORDER BY position`;

interface LeaseRow extends Omit<NotedLease, "decisions" | "ringsAt"> {
  readonly backend: number;
  readonly owner: string;
}

/** A recipient's decision, and the number of the commit that recorded it. */
interface Decided {
  readonly commit: number;
  readonly status: Decision;
}

const owners = `
  SELECT concat_ws(' ', tenant_id, merchant_id, channel, contact) AS owner, status FROM consents`;

export class PostgresNotes {
  readonly #session: SessionPort;
  #commits = 0;
  /** Number of commits before each backend began its transaction, by process id. */
  readonly #begun = new Map<number, number>();
  readonly #decisions = new Map<string, Decided[]>();

  constructor(session: SessionPort) {
    this.#session = session;
  }

  /** Creates the triggers that write notes. Call once for each database. */
  async watch(): Promise<void> {
    for (const statement of watching) await this.#session.ask(statement);
  }

  /** Drops earlier notes and reads the current decisions. */
  async begin(): Promise<void> {
    await this.take();
    this.#decisions.clear();
    const { rows } = await this.#session.ask<{ owner: string; status: Decision }>(owners);
    for (const { owner, status } of rows) this.#decisions.set(owner, [{ commit: this.#commits, status }]);
  }

  noteBegin(pid: number): void {
    this.#begun.set(pid, this.#commits);
  }

  /** Returns the notes of the latest commit. */
  async take(): Promise<Notes> {
    this.#commits += 1;
    const { rows: moves } = await this.#session.ask<Move>(
      `SELECT "messageId", "from", "to" FROM noted_moves ORDER BY position`,
    );
    const { rows: decided } = await this.#session.ask<{ owner: string; status: Decision }>(
      "SELECT owner, status FROM noted_decisions ORDER BY position",
    );
    const { rows: leased } = await this.#session.ask<LeaseRow>(leases);
    const { rows: dials } = await this.#session.ask<NotedDial>(
      `SELECT "requestId", zone, at FROM noted_dials ORDER BY position`,
    );
    for (const { owner, status } of decided) {
      const known = this.#decisions.get(owner) ?? [];
      this.#decisions.set(owner, [...known, { commit: this.#commits, status }]);
    }
    if (moves.length + decided.length + leased.length + dials.length > 0) {
      for (const table of noteTables) await this.#session.ask(`DELETE FROM ${table}`);
    }
    return {
      moves,
      leases: leased.map(({ backend, owner, ...lease }) => ({
        ...lease,
        decisions: this.#decisionsSince(owner, this.#begun.get(backend) ?? 0),
        // noted_leases does not record the time
        ringsAt: undefined,
      })),
      dials,
    };
  }

  /** Returns the decision that held after the given commit, and all later ones. */
  #decisionsSince(owner: string, commit: number): Decision[] {
    const all = this.#decisions.get(owner) ?? [];
    const before = all.filter((one) => one.commit <= commit).at(-1)?.status ?? null;
    return [before, ...all.filter((one) => one.commit > commit).map(({ status }) => status)];
  }
}
