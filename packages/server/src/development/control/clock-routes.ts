import { parseDuration } from "../../rules/durations.ts";
import type { FieldFault } from "../../rules/refusal.ts";
import { refuseFaults } from "../../rules/refusal.ts";
import type { Control } from "./control.ts";
import type { ControlScope } from "./control-scope.ts";

interface ClockMove {
  readonly advance?: string;
  readonly set?: string;
}

const schema = {
  type: "object",
  required: [],
  properties: { advance: { type: "string" }, set: { type: "string", format: "date-time" } },
  additionalProperties: false,
};

/** A move is limited because the steps on the way take real time. */
const LONGEST_MOVE_MS = 366 * 24 * 60 * 60 * 1_000;

/**
 * `GET /clock` returns the time. `POST /clock` advances it, and replies when everything due by then has run; it stops
 * when the client disconnects.
 */
export function addClockRoutes({ scope, control, createCheck, inTurn }: ControlScope): void {
  const check = createCheck(schema, "", findFaults);
  scope.get("/clock", async () => viewClock(control));
  scope.post("/clock", ({ body }, { raw }) => {
    check(body);
    const gone = new AbortController();
    raw.once("close", () => gone.abort());
    return inTurn(async () => {
      const { clock } = control;
      if (!gone.signal.aborted) await clock.advanceBy(requireMove(clock.now(), body as ClockMove), gone.signal);
      return viewClock(control);
    });
  });
}

function viewClock({ clock }: Control) {
  return { now: new Date(clock.now()).toISOString(), offsetMs: clock.offsetMs };
}

function findFaults(body: unknown): FieldFault[] {
  const { advance, set } = Object(body) as { advance?: unknown; set?: unknown };
  if ((advance === undefined) === (set === undefined)) {
    return [{ pointer: "", code: "invalid", detail: "Expected either advance or set." }];
  }
  if (typeof advance !== "string" || parseDuration(advance) !== undefined) return [];
  const detail = `Expected a duration of days, hours, minutes and seconds in this order, such as 72h or 1h30m; received ${JSON.stringify(advance.slice(0, 60))}.`;
  return [{ pointer: "/advance", code: "invalid_duration", detail }];
}

/** Returns how far to move, in milliseconds. Throws for a time in the past, or too far ahead. */
function requireMove(now: number, { advance, set }: ClockMove): number {
  const moveMs = set === undefined ? (parseDuration(advance ?? "") ?? 0) : Date.parse(set) - now;
  const pointer = set === undefined ? "/advance" : "/set";
  if (moveMs < 0) {
    const detail = `The clock reads ${new Date(now).toISOString()} and never goes back; received ${set}. POST /control/reset returns it to the machine's time.`;
    throw refuseFaults([{ pointer, code: "out_of_range", detail }]);
  }
  if (moveMs > LONGEST_MOVE_MS) {
    throw refuseFaults([{ pointer, code: "out_of_range", detail: "Expected a move of at most 366 days at once." }]);
  }
  return moveMs;
}
