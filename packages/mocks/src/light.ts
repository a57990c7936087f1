// Entry "@msgctl/mocks/light": handlers for msw without a server behind them. Runs in a browser; loads no Node modules.

import { refuseUnhandled } from "./unhandled-request.ts";
import { explainUnmocked } from "./unmocked-request.ts";

export { type AnswerOf, exampleOf, type RefusalOf } from "./example.ts";
export { type ExampleHandlersOptions, exampleHandlers, problemResponse } from "./example-handlers.ts";
export { createHandlers, type TypedHandlers } from "./typed-handlers.ts";
export type { OnUnhandledFrame, OnUnhandledRequest } from "./unhandled-request.ts";

/**
 * For msw's options of these names: `onUnhandledRequest` in msw 2, `onUnhandledFrame` in msw 3. A request for a path of
 * this API fails, and the console shows the operation that it is for or resembles; msw warns of any other.
 */
export const { onUnhandledRequest, onUnhandledFrame } = refuseUnhandled(explainUnmocked);
