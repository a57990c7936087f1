// Entry "@msgctl/mocks/light": handlers for msw without a server behind them. Runs in a browser; loads nothing of Node.

import { refuseUnhandled } from "./unhandled-request.ts";
import { explainUnmocked } from "./unmocked-request.ts";

export { type AnswerOf, exampleOf, type RefusalOf } from "./example.ts";
export { type ExampleHandlersOptions, exampleHandlers, problemResponse } from "./example-handlers.ts";
export { createHandlers, type TypedHandlers } from "./typed-handlers.ts";
export type { OnUnhandledFrame, OnUnhandledRequest } from "./unhandled-request.ts";

/**
 * For msw's option of that name: `onUnhandledRequest` is msw 2's, `onUnhandledFrame` msw 3's. A request for a path of
 * this API fails, and the console is told which operation it is, or which it is like; any other is msw's to warn of.
 */
export const { onUnhandledRequest, onUnhandledFrame } = refuseUnhandled(explainUnmocked);
