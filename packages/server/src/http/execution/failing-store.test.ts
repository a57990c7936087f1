// A store that fails during a request: the reply, and the single effect of a repeat with the same key.

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openInProcessService } from "../../in-process.ts";
import { textOf } from "../../store/statement.ts";
import { CommitInDoubt, StoreUnavailable, type Work } from "../../store/store.ts";
import { alterTransaction } from "../../testing/altered-transaction.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First", smsLimit: 10 } });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => service.close());

/** Matches texts that a reply may contain only if it is certain that nothing was changed. */
const NOTHING_DONE = /changed nothing|nothing was (?:changed|done)/i;

const send = (key: string) =>
  service.call("POST", "/api/v1/messages/sms", {
    headers: { "idempotency-key": key },
    body: { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" },
  });

const countOf = async (table: "messages" | "idempotency_keys") => {
  const row = await service.store.read((tx) => tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`));
  return row?.count;
};
const reserved = async () =>
  (await service.store.read((tx) => tx.get<{ reserved: number }>("SELECT reserved FROM usage")))?.reserved ?? 0;

describe("a store that accepts no work", () => {
  it("causes a 503 with Retry-After, for a write and for a read, and leaves the key free", async () => {
    const fault = new StoreUnavailable("the disk is full");
    vi.spyOn(service.store, "write").mockRejectedValueOnce(fault);
    vi.spyOn(service.store, "read").mockRejectedValueOnce(fault);
    // after 2 s the credential is no longer cached, so the read fails while it looks up the credential
    await service.clock.advanceBy(2_000);
    for (const reply of [await service.call("GET", "/api/v1/merchants"), await send("one")]) {
      expect(reply.json()).toMatchObject({
        status: 503,
        code: "unavailable",
        requestId: reply.headers["x-request-id"],
      });
      expect(reply.headers["retry-after"]).toBe("5");
      expect(reply.json().detail).toMatch(NOTHING_DONE);
      expect(reply.body).not.toContain("disk");
    }
    const repeat = await send("one");
    expect([repeat.statusCode, repeat.headers["idempotent-replayed"]]).toEqual([200, undefined]);
  });
});

describe("a disk that fails during a commit", () => {
  it("causes a 503 that leaves the outcome open, and a repeat with the key finds what was stored", async () => {
    const { write } = service.store;
    const inDoubt = async (work: Work<unknown>) => {
      await write(work);
      throw new CommitInDoubt("the disk did not take a commit");
    };
    vi.spyOn(service.store, "write").mockImplementationOnce(inDoubt as typeof write);
    const before = await countOf("messages");
    const failed = await send("doubt");
    expect(failed.json()).toMatchObject({ status: 503, code: "outcome_unknown" });
    expect(failed.headers["retry-after"]).toBe("5");
    expect(failed.json().detail).toContain("Idempotency-Key");
    expect(failed.body).not.toMatch(NOTHING_DONE);
    const repeat = await send("doubt");
    expect([repeat.statusCode, repeat.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(await countOf("messages")).toBe(Number(before) + 1);
  });
});

describe("a transaction that throws after it wrote", () => {
  /** Makes the statement with this text fail once. */
  function breakAt(words: string): void {
    const { write } = service.store;
    let isBroken = true;
    const breaking =
      <T>(work: Work<T>): Work<T> =>
      (tx) => {
        const broken = alterTransaction(tx, {
          run(ask, ...values) {
            if (isBroken && textOf(ask, "sqlite").includes(words)) throw new Error("a fault nobody foresaw");
            return tx.run(ask, ...values);
          },
        });
        return work(broken);
      };
    vi.spyOn(service.store, "write").mockImplementation((work) =>
      write(breaking(work)).finally(() => (isBroken = false)),
    );
  }

  it.each(["INSERT INTO usage", "INSERT INTO messages", "INSERT INTO idempotency"])(
    "at %s causes a 500 that reveals nothing and changes nothing",
    async (statement) => {
      const count = async () => [await countOf("messages"), await countOf("idempotency_keys")];
      const before = { counts: await count(), reserved: await reserved() };
      const logged = vi.spyOn(service.app.log, "error");
      breakAt(statement);
      const [failed, other] = await Promise.all([send(statement), service.call("GET", "/api/v1/merchants/m1")]);
      expect(failed.json()).toMatchObject({ status: 500, code: "internal_error" });
      expect(failed.body).not.toContain("foresaw");
      expect(logged).toHaveBeenCalledWith(
        expect.objectContaining({ err: expect.any(Error), requestId: failed.headers["x-request-id"] }),
        "internal_error",
      );
      expect(other.statusCode).toBe(200);
      expect({ counts: await count(), reserved: await reserved() }).toEqual(before);

      const repeat = await send(statement);
      expect([repeat.statusCode, repeat.headers["idempotent-replayed"]]).toEqual([200, undefined]);
      expect(await reserved()).toBe(before.reserved + 1);
    },
  );
});

it("an unexpected error is logged by an in-process service that logs only errors", async () => {
  const lines: string[] = [];
  const inProcess = await openInProcessService({ log: (line) => lines.push(line), logLevel: "error" });
  try {
    const { apiKey, apiSecret } = inProcess.credential;
    const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
    const ask = () => inProcess.exchange({ method: "GET", url: "/api/v1/merchants", headers });
    expect([(await ask()).status, lines]).toEqual([200, []]);
    vi.spyOn(inProcess.store, "read").mockRejectedValue(new Error("a fault nobody foresaw"));
    expect((await ask()).status).toBe(500);
    expect(lines).toEqual([expect.stringContaining("a fault nobody foresaw")]);
  } finally {
    await inProcess.close();
  }
});
