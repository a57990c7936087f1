// Entry "@msgctl/mocks/light": handlers for msw without a server behind them. Runs in a browser; loads no Node modules.

import { refuseUnhandled } from "./unhandled-request.ts";
import { explainUnmocked } from "./unmocked-request.ts";

export { type AnswerOf, exampleOf, type RefusalOf } from "./example.ts";
export { type ExampleHandlersOptions, exampleHandlers, problemResponse } from "./example-handlers.ts";
export { createHandlers, type TypedHandlers } from "./typed-handlers.ts";
export type { OnUnhandledFrame, OnUnhandledRequest } from "./unhandled-request.ts";

/**
 * Handlers for msw's option of the same name: `onUnhandledRequest` in msw 2, `onUnhandledFrame` in msw 3. They make an
 * unhandled request to a path of this API fail, and print the operation that it matches or resembles. msw warns about
 * other requests.
 */
export const { onUnhandledRequest, onUnhandledFrame } = refuseUnhandled(explainUnmocked);
