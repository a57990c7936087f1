/** A mock was used in a way that it does not support. The message says what it accepts. */
export class MockUsageError extends Error {
  override readonly name: string = "MockUsageError";
}

/** The service refused a wrong request, and `onMistake` is "error". */
export class MockMistakeError extends Error {
  override readonly name = "MockMistakeError";
}
