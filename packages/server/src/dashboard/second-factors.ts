// The second factor of the signed-in user: turns it on and off, and shows its state. The audit records what was changed.

import { randomBytes, randomInt } from "node:crypto";
import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import type { Origin } from "../domain/handler.ts";
import { findSecondFactorPolicy } from "../domain/tenancy/rows.ts";
import { endOtherSessionsOf, findUser, type UserRow } from "../domain/users/rows.ts";
import { countRecoveryCodes, deleteSecondFactor, findSecondFactor } from "../domain/users/second-factor-rows.ts";
import {
  confirmSecondFactor,
  isOn,
  notOn,
  renewRecoveryCodes,
  startSecondFactor,
  useCode,
} from "../domain/users/second-factors.ts";
import { SECRET_BYTES, toBase32, toOtpauthLink } from "../domain/users/totp.ts";
import type { Clock } from "../platform/clock.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { DashboardCaller, DashboardHandlers } from "./dashboard-api.ts";
import { noUsers, retryLater } from "./session-operations.ts";
import {
  codeWrong,
  describeCode,
  lockUnchanged,
  noteVisit,
  type OwnPassword,
  type Sessions,
  TooManyAttempts,
} from "./sessions.ts";
import { countFailure, findWait, forgetFailures, type SignInAttempt } from "./sign-in-limits.ts";

interface SecondFactorOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly pepper: string;
  readonly secrets: SecretBox;
  /** The server's public URL, whose host authenticator apps show; undefined if the operator has not set one. */
  readonly publicUrl: string | undefined;
}

type SecondFactorOperationId =
  | "getSecondFactor"
  | "startSecondFactor"
  | "confirmSecondFactor"
  | "removeSecondFactor"
  | "renewRecoveryCodes";

/** Creates the handlers. In development there are no users, and `sessions` is undefined. */
export function secondFactorHandlers(
  sessions: Sessions | undefined,
  { store, clock, pepper, secrets: box, publicUrl }: SecondFactorOptions,
): DashboardHandlers<SecondFactorOperationId> {
  // apps read a colon as the end of the issuer
  const issuer = publicUrl === undefined ? "msgd" : `msgd ${new URL(publicUrl).hostname.replaceAll(":", ".")}`;

  function requireOwn(caller: DashboardCaller): { sessions: Sessions; own: Omit<OwnPassword, "current"> } {
    const { userId, sessionId } = caller;
    if (sessions === undefined || userId === null || sessionId === null) throw noUsers();
    return { sessions, own: { userId, sessionId } };
  }

  /**
   * Runs `work` with the user locked, so that concurrent attempts are counted one by one. If it returns undefined, the code
   * is wrong, which counts as a failure of the session.
   */
  async function requireRight<T>(
    userId: number,
    attempt: SignInAttempt,
    work: (tx: Transaction, user: UserRow) => Promise<T | undefined>,
  ): Promise<T> {
    const outcome = await store.write(async (tx) => {
      const user = await findUser(tx, userId);
      if (user === undefined) throw notOn();
      const waitMs = await findWait(tx, attempt);
      if (waitMs > 0) throw new TooManyAttempts(waitMs);
      const done = await work(tx, user);
      await (done === undefined ? countFailure(tx, attempt) : forgetFailures(tx, attempt));
      return done;
    });
    if (outcome === undefined) throw codeWrong("validation_error");
    return outcome;
  }

  /** Runs `work` if the present password and a code are right, and records it in the audit as `operation`. */
  async function changeProven<T>(
    caller: DashboardCaller,
    { body, from, operation }: { body: { current: string; code: string }; from: Origin; operation: string },
    work: (tx: Transaction, userId: number) => Promise<T>,
  ): Promise<T> {
    const { sessions, own } = requireOwn(caller);
    return sessions
      .withPassword({ ...own, current: body.current }, (checked, attempt) =>
        requireRight(own.userId, attempt, async (tx, user) => {
          await lockUnchanged(tx, checked);
          const { userId } = user;
          const factor = await findSecondFactor(tx, userId);
          if (!isOn(factor)) throw notOn();
          const now = clock.now();
          const used = await useCode(tx, factor, { userId, code: body.code, box, pepper, now });
          if (used === undefined) return undefined;
          const result = await work(tx, userId);
          await noteVisit(tx, user, { operation, from, now, words: describeCode(used) });
          return { result };
        }),
      )
      .then(({ result }) => result);
  }

  return {
    getSecondFactor: {
      async read({ tx, caller }): Promise<Views["SecondFactorView"]> {
        if (caller.userId === null) throw noUsers();
        const user = await findUser(tx, caller.userId);
        const since = user?.secondFactorSince ?? null;
        const recoveryCodesLeft = await countRecoveryCodes(tx, caller.userId);
        const policy = await findSecondFactorPolicy(tx, caller.tenantId);
        return { since: viewTime(since), recoveryCodesLeft, policy };
      },
    },
    startSecondFactor: {
      async visit({ retryAfter }, { body: { current } }, caller) {
        const { sessions, own } = requireOwn(caller);
        return retryLater(retryAfter, () =>
          sessions.withPassword({ ...own, current }, async (user) => {
            const { userId, email: account } = user;
            const secret = toBase32(randomBytes(SECRET_BYTES));
            await store.write(async (tx) => {
              await lockUnchanged(tx, user);
              await startSecondFactor(tx, { userId, secret, box, now: clock.now() });
            });
            return { secret, link: toOtpauthLink({ secret, issuer, account }) };
          }),
        );
      },
    },
    confirmSecondFactor: {
      async visit({ from, retryAfter }, { body: { code } }, caller) {
        const { sessions, own } = requireOwn(caller);
        return retryLater(retryAfter, async () => {
          const { attempt } = await sessions.admit(own);
          const { userId, sessionId } = own;
          const recoveryCodes = await requireRight(userId, attempt, async (tx, user) => {
            const now = clock.now();
            if (!(await confirmSecondFactor(tx, { userId, code, box, pepper, now }))) return undefined;
            await endOtherSessionsOf(tx, userId, sessionId);
            await noteVisit(tx, user, { operation: "confirmSecondFactor", from, now });
            return renewRecoveryCodes(tx, { userId, pepper, random: randomInt });
          });
          sessions.forget(userId);
          return { recoveryCodes };
        });
      },
    },
    removeSecondFactor: {
      async visit({ from, retryAfter }, { body }, caller) {
        const asked = { body, from, operation: "removeSecondFactor" };
        const { sessions, own } = requireOwn(caller);
        await retryLater(retryAfter, () => changeProven(caller, asked, deleteSecondFactor));
        sessions.forget(own.userId);
      },
    },
    renewRecoveryCodes: {
      async visit({ from, retryAfter }, { body }, caller) {
        const asked = { body, from, operation: "renewRecoveryCodes" };
        return retryLater(retryAfter, async () => ({
          recoveryCodes: await changeProven(caller, asked, (tx, userId) =>
            renewRecoveryCodes(tx, { userId, pepper, random: randomInt }),
          ),
        }));
      },
    },
  };
}
