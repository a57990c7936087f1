// Stateful mocks of the merchant messaging API: the whole service in process, behind msw or the SDK's `fetch` option.

export { createMockService } from "./create-mock-service.ts";
export type {
  CallbackHandler,
  MessageFilter,
  MockCallback,
  MockClock,
  MockCredential,
  MockMessage,
  MockSeed,
  MockService,
  MockServiceOptions,
  PlannedFailure,
} from "./mock-service.ts";
export type { OnUnhandledFrame, OnUnhandledRequest } from "./unhandled-request.ts";
export { MockMistakeError, MockUsageError } from "./usage-error.ts";
