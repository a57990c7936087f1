/** A mock that listens. */
export interface RunningMock {
  /** `http://127.0.0.1:4010`, without a slash at its end. */
  readonly url: string;
  /** What to do with it, for whoever started it. */
  readonly greeting: string;
  /** Rejects when it ends by itself. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}
