// Looks for changes of the sources. By their times, not by the system's notices: those differ between systems, and
// shared folders of virtual machines send none.

import { listBuildInputs, timestamps } from "./freshness.mjs";

const POLL_MS = 500;

/**
 * Calls back after a change of what the build reads; after the changes during a call, once more. Gives what ends it.
 *
 * @param {string} root
 * @param {() => Promise<void>} onChange
 */
export function watchSources(root, onChange) {
  let seen = timestamps(listBuildInputs(root));
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy) return;
    const now = timestamps(listBuildInputs(root));
    if (now === seen) return;
    seen = now;
    isBusy = true;
    await onChange();
    isBusy = false;
  }, POLL_MS);
  return () => clearInterval(timer);
}
