/** Thrown if a mock is used in a way that it does not support. The message says what it accepts. */
export class MockUsageError extends Error {
  override readonly name: string = "MockUsageError";
}

/** Thrown if the service refuses an invalid request and `onMistake` is "error". */
export class MockMistakeError extends Error {
  override readonly name = "MockMistakeError";
}
