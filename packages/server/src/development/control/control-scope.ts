import type { FastifyInstance } from "fastify";
import type { createValueChecks } from "../../http/validation/validation.ts";
import type { Control } from "./control.ts";

/** The parts that the routes of the control API share. */
export interface ControlScope {
  readonly scope: FastifyInstance;
  readonly control: Control;
  readonly createCheck: ReturnType<typeof createValueChecks>;
  /** Two calls that move time or empty tables never overlap. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}
