import type { SentTransaction } from './chain';
import { factsOfNode, isConsensusVote } from './facts';
import { keysOf, type NodeTransaction, type SolanaNode } from './node';

/** Programs and sysvars: nearly every transaction names them, and no wallet reads their history. */
const isProgram = (address: string): boolean =>
  /^Sysvar|^11111111111111111111111111111111$|^(Token|AToken|Vote1|Stake1|Memo|Compute|AddressLookup|Ed25519)/.test(
    address,
  );

/** A transaction on the chain. */
interface Truth {
  readonly found: NodeTransaction;
  readonly facts: ReturnType<typeof factsOfNode>;
  /** Grows along the chain: the slot, and the index in its block. */
  readonly order: readonly [slot: number, index: number];
  readonly isVote: boolean;
}

/** What a node says of all transactions that mention some accounts. */
export class ChainTruth {
  /** All accounts that took part in the sent transactions. */
  readonly accounts: string[] = [];
  readonly #transactions = new Map<string, Truth>();
  readonly #lists = new Map<string, readonly string[]>();

  private constructor(
    readonly node: SolanaNode,
    readonly sent: readonly SentTransaction[],
  ) {}

  /**
   * Reads what the sent transactions did, and the lists of all accounts that took part in one, when all is final. No more
   * may be sent meanwhile.
   */
  static async read(node: SolanaNode, sent: readonly SentTransaction[]): Promise<ChainTruth> {
    await node.untilFinal();
    const truth = new ChainTruth(node, sent);
    for (const { signature } of sent)
      if ((await node.status(signature)) !== null) await truth.#load(signature);
    truth.accounts.push(...truth.#named());
    for (const account of truth.accounts) {
      const signatures = await node.signatures(account);
      for (const signature of signatures) await truth.#load(signature);
      truth.#lists.set(account, signatures);
    }
    return truth;
  }

  async #load(signature: string): Promise<void> {
    if (this.#transactions.has(signature)) return;
    const found = await this.node.transaction(signature);
    const index = (await this.node.block(found.slot)).indexOf(signature);
    const order = [found.slot, index] as const;
    const [facts, isVote] = [factsOfNode(found), isConsensusVote(found)];
    this.#transactions.set(signature, { found, facts, order, isVote });
  }

  #of(signature: string): Truth {
    return this.#transactions.get(signature)!;
  }

  /** Null for a transaction that is not on the chain. */
  factsOf(signature: string): Truth['facts'] | null {
    return this.#transactions.get(signature)?.facts ?? null;
  }

  /** Accounts that a transaction names, and owners of token accounts. No programs. */
  #named(): string[] {
    const all = [...this.#transactions.values()].flatMap(({ found }) => [
      ...keysOf(found),
      ...tokenBalancesOf(found).map(({ owner }) => owner),
    ]);
    return [...new Set(all)].filter(account => !isProgram(account));
  }

  /** The signatures that mention any of the accounts, but for consensus votes; each once, newest first. */
  mentioning(...accounts: readonly string[]): string[] {
    const all = new Set(accounts.flatMap(account => this.#lists.get(account) ?? []));
    return this.#newestFirst([...all].filter(signature => !this.#of(signature).isVote));
  }

  /** The signatures of the transactions that name a token account of the mint that is, or is owned by, the account. */
  ofMint(account: string, mint: string): string[] {
    const all = [...this.#transactions].filter(([, { found }]) => {
      const keys = keysOf(found);
      return tokenBalancesOf(found).some(
        balance =>
          balance.mint === mint && (balance.owner === account || keys[balance.accountIndex] === account),
      );
    });
    return this.#newestFirst(all.map(([signature]) => signature));
  }

  /** The mints of the token accounts that are, or are owned by, the account. */
  mintsOf(account: string): string[] {
    const mints = [...this.#transactions.values()].flatMap(({ found }) => {
      const keys = keysOf(found);
      return tokenBalancesOf(found)
        .filter(({ owner, accountIndex }) => owner === account || keys[accountIndex] === account)
        .map(({ mint }) => mint);
    });
    return [...new Set(mints)];
  }

  #newestFirst(signatures: readonly string[]): string[] {
    return [...signatures].sort((one, other) => {
      const [a, b] = [this.#of(one).order, this.#of(other).order];
      return b[0] - a[0] || b[1] - a[1];
    });
  }
}

const tokenBalancesOf = ({ meta }: NodeTransaction) => [...meta.preTokenBalances, ...meta.postTokenBalances];
