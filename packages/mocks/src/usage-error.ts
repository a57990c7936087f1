/** A mock was asked for something that it cannot do; the message says what it accepts. */
export class MockUsageError extends Error {
  override readonly name = "MockUsageError";
  /** Tells the SDK that another attempt would end the same way. */
  readonly retryable = false;
}

/** A request was wrong, and `onMistake` is "error". */
export class MockMistakeError extends Error {
  override readonly name = "MockMistakeError";
  /** Tells the SDK that another attempt would end the same way. */
  readonly retryable = false;
}
