// Runs in a separate process: prints the CPU time that importing one module took, in microseconds.

const { specifier } = JSON.parse(process.argv[2] ?? "") as { specifier: string };
const before = process.cpuUsage();
await import(specifier);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify(user + system));

export {};
