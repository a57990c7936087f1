// Kills this process as it calls its provider with a text that says so: before the call leaves, or when it is answered.

const call = globalThis.fetch;

/** @type {typeof fetch} */
globalThis.fetch = async (url, init) => {
  const body = String(init?.body);
  if (body.includes("kill me before")) process.kill(process.pid, "SIGKILL");
  const answer = await call(url, init);
  if (body.includes("kill me after")) process.kill(process.pid, "SIGKILL");
  return answer;
};
