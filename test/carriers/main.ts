// `npm run carriers`: tests the built msgd against third-party carrier software that is installed on this machine. It installs
// and builds nothing. It reports the software and results, and exits with 1 if anything was sent twice, lost or misreported.

import type { Peer } from "./check.ts";

import { freeSwitchPeer } from "./freeswitch-peer.ts";
import { postfixPeer } from "./postfix-peer.ts";
import { smscPeer } from "./smsc-peer.ts";
import { smtpSink } from "./smtp-sink.ts";

const peers: readonly Peer[] = [smtpSink, postfixPeer, smscPeer, freeSwitchPeer];

const print = (line: string) => process.stdout.write(`${line}\n`);

const there = peers.filter((peer) => {
  const found = peer.find();
  print(`${peer.name.padEnd(12)}${found ?? `not found (${peer.hint})`}`);
  return found !== undefined;
});
for (const { name, check } of there) {
  const { faults, note } = await check();
  print(`${faults.length === 0 ? "ok    " : "WRONG "} ${name}: ${note}`);
  for (const fault of faults) print(`       ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
if (there.length === 0) print("nothing to check against");
