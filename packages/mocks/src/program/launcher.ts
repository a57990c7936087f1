// npx runs a program through a shell. A signal sent to npx alone ends that shell but does not reach the program, which would
// keep running unseen and occupy its port.

const POLL_MS = 500;

/** Ends this process as SIGTERM does, once the shell in which npx or npm started it is gone. Never on Windows. */
export function endWithLauncher(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, POLL_MS);
  timer.unref();
}
