/** A listening mock. */
export interface RunningMock {
  /** `http://127.0.0.1:4010`, without a trailing slash. */
  readonly url: string;
  /** Instructions for the person who started it. */
  readonly greeting: string;
  /** Rejects if the mock's process ends before it is stopped; undefined if the mock runs in this process. */
  readonly failed?: Promise<never>;
  stop(): Promise<void>;
}
