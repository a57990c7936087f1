/** A mock was asked for something that it cannot do; the message says what it accepts. */
export class MockUsageError extends Error {
  override readonly name: string = "MockUsageError";
}

/** A request was wrong, and `onMistake` is "error". */
export class MockMistakeError extends Error {
  override readonly name = "MockMistakeError";
}
