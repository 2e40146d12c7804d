import { until } from '../../until';

/** A transaction as a node returns it by JSON-RPC, in the encoding `json`. */
export interface NodeTransaction {
  readonly slot: number;
  readonly blockTime: number | null;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly NodeInstruction[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly preTokenBalances: readonly NodeTokenBalance[];
    readonly postTokenBalances: readonly NodeTokenBalance[];
    readonly innerInstructions: readonly {
      readonly index: number;
      readonly instructions: readonly NodeInstruction[];
    }[];
    readonly loadedAddresses: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  };
}

interface NodeInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly stackHeight?: number | null;
}

interface NodeTokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** A status of `getSignatureStatuses`. */
interface NodeStatus {
  readonly slot: number;
  readonly err: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}

interface TokenAccount {
  readonly account: {
    readonly data: {
      readonly parsed: {
        readonly info: { readonly mint: string; readonly tokenAmount: { readonly amount: string } };
      };
    };
  };
}

/** All account addresses of a transaction, in the order of the indexes of its instructions. */
export function keysOf({ transaction, meta }: NodeTransaction): string[] {
  const { writable, readonly } = meta.loadedAddresses;
  return [...transaction.message.accountKeys, ...writable, ...readonly];
}

const MAX_SIGNATURES = 1_000;
const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];

/** What a node says of the chain, by plain JSON-RPC. */
export class SolanaNode {
  constructor(readonly endpoint: string) {}

  async call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const response = await fetch(this.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: Result; error?: object };
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  slot(commitment: 'processed' | 'confirmed' | 'finalized'): Promise<number> {
    return this.call('getSlot', [{ commitment }]);
  }

  /** Resolves when what is processed now is final. */
  async untilFinal(): Promise<void> {
    const newest = await this.slot('processed');
    await until(
      () => this.slot('finalized'),
      slot => slot >= newest,
    );
  }

  /** The signatures of all transactions that mention an address, newest first. */
  async signatures(address: string): Promise<string[]> {
    const all: string[] = [];
    for (;;) {
      const page = await this.call<{ signature: string }[]>('getSignaturesForAddress', [
        address,
        { commitment: 'confirmed', limit: MAX_SIGNATURES, ...(all.length > 0 && { before: all.at(-1) }) },
      ]);
      all.push(...page.map(({ signature }) => signature));
      if (page.length < MAX_SIGNATURES) return all;
    }
  }

  /** @throws when the chain does not have it */
  async transaction(signature: string): Promise<NodeTransaction> {
    const found = await this.call<NodeTransaction | null>('getTransaction', [
      signature,
      { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 },
    ]);
    if (!found) throw new Error(`the node has no transaction ${signature}`);
    return found;
  }

  /** The signatures of a block, in the order that its transactions ran. */
  async block(slot: number): Promise<readonly string[]> {
    const config = { commitment: 'confirmed', transactionDetails: 'signatures', rewards: false };
    return (await this.call<{ signatures: string[] }>('getBlock', [slot, config])).signatures;
  }

  async status(signature: string): Promise<NodeStatus | null> {
    const config = { searchTransactionHistory: true };
    const { value } = await this.call<{ value: [NodeStatus | null] }>('getSignatureStatuses', [
      [signature],
      config,
    ]);
    return value[0];
  }

  async lamports(address: string): Promise<number> {
    const { value } = await this.call<{ value: number }>('getBalance', [
      address,
      { commitment: 'confirmed' },
    ]);
    return value;
  }

  /** The amount that an owner has of each mint, in the smallest unit. */
  async tokens(owner: string): Promise<Record<string, string>> {
    const amounts: Record<string, string> = {};
    for (const programId of TOKEN_PROGRAMS) {
      const config = { commitment: 'confirmed', encoding: 'jsonParsed' };
      const { value } = await this.call<{ value: TokenAccount[] }>('getTokenAccountsByOwner', [
        owner,
        { programId },
        config,
      ]);
      for (const { account } of value) {
        const { mint, tokenAmount } = account.data.parsed.info;
        amounts[mint] = String(BigInt(amounts[mint] ?? 0) + BigInt(tokenAmount.amount));
      }
    }
    return amounts;
  }
}
