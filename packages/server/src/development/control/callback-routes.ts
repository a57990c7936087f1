import { viewTime } from "../../rules/view-time.ts";
import { type CallbackRow, listCallbacks } from "../../store/callbacks.ts";
import type { ControlScope } from "./control-scope.ts";

const schema = {
  type: "object",
  required: [],
  properties: { limit: { type: "integer", minimum: 1, maximum: 1_000 } },
  additionalProperties: false,
};

const DEFAULT_LIMIT = 100;

/** `GET /callbacks?limit=`: lists every tenant's callbacks, posted or still to be posted, newest first. */
export function addCallbackRoutes({ scope, control, createCheck }: ControlScope): void {
  const check = createCheck(schema, "/query");
  scope.get("/callbacks", async ({ query }) => {
    check(query);
    const { limit = DEFAULT_LIMIT } = query as { limit?: number };
    return (await control.store.read((tx) => listCallbacks(tx, { limit }))).map(viewCallback);
  });
}

function viewCallback({ body, nextAttemptAt, ...callback }: CallbackRow) {
  return {
    ...callback,
    nextAttemptAt: viewTime(nextAttemptAt),
    body: JSON.parse(body),
  };
}
