// Describes in sentences which messages may be sent to a recipient.

import type { Views } from "../../api.ts";
import { nameTypes } from "../message/words.ts";

type Allowance = Views["AllowanceView"];

export interface AllowanceSentence {
  /** The merchants that it is about; empty for all others. */
  readonly merchantIds: readonly string[];
  /** Whether it is about all merchants without exception. */
  readonly isAll: boolean;
  /** The verb and object of the sentence, such as "may send everything". */
  readonly words: string;
}

export interface ChannelAllowances {
  readonly channel: Allowance["channel"];
  readonly sentences: readonly AllowanceSentence[];
}

/** Says for each channel which merchants may send what. Merchants that may send the same are in one sentence. */
export function describeAllowances(allowances: readonly Allowance[]): ChannelAllowances[] {
  return [...new Set(allowances.map(({ channel }) => channel))].map((channel) => ({
    channel,
    sentences: describeChannel(allowances.filter((allowance) => allowance.channel === channel)),
  }));
}

function describeChannel(allowances: readonly Allowance[]): AllowanceSentence[] {
  const others = allowances.find(({ merchantId }) => merchantId === null);
  const wordsOfOthers = others && describeTypes(others.types);
  const merchants = new Map<string, string[]>();
  for (const { merchantId, types } of allowances) {
    const words = describeTypes(types);
    // a merchant that may send what the others may is one of them
    if (merchantId === null || words === wordsOfOthers) continue;
    merchants.set(words, [...(merchants.get(words) ?? []), merchantId]);
  }
  const named = [...merchants].map(([words, merchantIds]) => ({ merchantIds, isAll: false, words }));
  if (wordsOfOthers === undefined) return named;
  return [...named, { merchantIds: [], isAll: named.length === 0, words: wordsOfOthers }];
}

const ALL_TYPES = 4;

function describeTypes(types: Allowance["types"]): string {
  if (types.length === 0) return "may send nothing";
  if (types.length === ALL_TYPES) return "may send everything";
  return `may send only ${new Intl.ListFormat("en").format(types.map(nameTypes))}`;
}
