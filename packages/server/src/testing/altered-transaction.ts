import type { Transaction } from "../store/store.ts";

/** Returns the transaction with some of its methods replaced. */
export function alterTransaction(tx: Transaction, replaced: Partial<Transaction>): Transaction {
  return new Proxy(tx, {
    get(target, name) {
      const own = replaced[name as keyof Transaction];
      if (own !== undefined) return own;
      const value = target[name as keyof Transaction];
      // methods are bound because they use private fields of the original object
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
