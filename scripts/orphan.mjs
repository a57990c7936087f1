// npm runs a script through a shell. A signal sent to npm alone ends that shell, and goes no further: what runs in it
// would stay, unseen, with its port taken.

const POLL_MS = 500;

/** Ends this process as SIGTERM does, once the shell that npm started it in is gone. Windows never tells. */
export function endWithShell() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, POLL_MS);
  timer.unref();
}
