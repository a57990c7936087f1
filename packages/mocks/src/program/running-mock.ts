/** A listening mock. */
export interface RunningMock {
  /** `http://127.0.0.1:4010`, without a trailing slash. */
  readonly url: string;
  /** Instructions for the person who started it. */
  readonly greeting: string;
  /** Rejects if the mock ends before it is stopped. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}
