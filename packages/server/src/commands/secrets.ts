import { reseal } from "../steps/reseal.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment, OutputFlags } from "./environment.ts";
import { print } from "./output.ts";

/** `msgd secrets reseal`: seals with the first key of MSGD_SECRET_KEY whatever another of its keys has sealed. */
export async function runSecretsReseal(flags: OutputFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, output } = environment;
  await withKnownStore(flags, environment, async (store, installation) => {
    const box = await installation.openSecretBox(store);
    const { count, unopened } = await reseal((work) => store.write(work), { box, now: clock.now() });
    const isPepperResealed = await installation.resealPepper(store);
    print(output, flags.output, { resealed: count + (isPepperResealed ? 1 : 0), unopened: unopened.length });
    if (unopened.length > 0) throw new Error(["these secrets did not open:", ...unopened].join("\n"));
    const left = await installation.countOlderSeals(store, clock.now());
    if (left > 0) {
      throw new Error(
        `${left} secrets were sealed with an older key meanwhile: restart every server with the new key first, and run msgd secrets reseal again`,
      );
    }
    output.err("Everything is sealed with the first key: once every server has it, the others can go.\n");
  });
}
