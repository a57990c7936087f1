// Entry "@msgctl/mocks/light": handlers for msw without a server behind them. Runs in a browser; loads nothing of Node.

export { type AnswerOf, exampleOf, type RefusalOf } from "./example.ts";
export { type ExampleHandlersOptions, exampleHandlers, problemResponse } from "./example-handlers.ts";
export { createHandlers, type TypedHandlers } from "./typed-handlers.ts";
export { onUnhandledRequest } from "./unmocked-request.ts";
