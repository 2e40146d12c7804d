import { type Cell, type Message, type MessageRelaxed } from '@ton/core';
import {
  balanceChange,
  isInternal,
  isRefused,
  isReturned,
  sentBy,
  type Chain,
  type Entry,
  type Internal,
} from './chain';
import type { JettonWallets } from './expected-meaning';
import type { Part, Request, Scenario } from './scenario';

/** A requested message beside what the network made of it. */
export interface Outcome {
  readonly requested: MessageRelaxed;
  readonly part: Part;
  /** Null when it was not sent. */
  readonly sent: Internal | null;
}

const hex = (cell: Cell): string => cell.hash().toString('hex');

/** What the blocks of the node hold, beside what the client had asked for. */
export class Truth {
  readonly #requests: ReadonlyMap<string, Request>;

  constructor(
    readonly chain: Chain,
    readonly scenario: Scenario,
  ) {
    this.#requests = new Map(scenario.requests.map(request => [hex(request.body), request]));
  }

  /**
   * Whose jettons an address (raw) holds, as the master says: of an address that the network has deployed a wallet at. Where
   * every transfer was refused there is none, and nobody to confirm what a message says.
   */
  get jettonWallets(): JettonWallets {
    const wasDeployed = (wallet: string): boolean =>
      (this.chain.accounts.get(wallet) ?? []).some(({ tx }) => tx.endStatus === 'active');
    return new Map([...this.scenario.jettonWallets].filter(([wallet]) => wasDeployed(wallet)));
  }

  /** What can be read of an account from its newest transaction on: the network forgets the account when it is deleted. */
  reachable(account: string): readonly Entry[] {
    const entries = this.chain.accounts.get(account) ?? [];
    if (entries[0]?.tx.endStatus === 'non-existing') return [];
    const first = entries.findIndex(({ tx }) => tx.prevTransactionLt === 0n);
    return entries.slice(0, first + 1);
  }

  /** The request that a transaction of its wallet carries out. */
  requestOf({ account, tx }: Entry): Request | undefined {
    const request = tx.inMessage ? this.#requests.get(hex(tx.inMessage.body)) : undefined;
    return request?.wallet.address.toRawString() === account ? request : undefined;
  }

  /** Whether the owner of the account began the transaction, or nobody else did. */
  isOwn(entry: Entry): boolean {
    const { inMessage } = entry.tx;
    return inMessage?.info.type !== 'internal' || this.requestOf(entry) !== undefined;
  }

  /** What became of each requested message: those that were sent first, then the others. */
  outcomes(entry: Entry): Outcome[] {
    const request = this.requestOf(entry);
    if (!request) return this.isOwn(entry) ? sentBy(entry).map(paidOut) : [];
    const left = sentBy(entry);
    const outcomes = request.messages.map((requested, index): Outcome => {
      const at = left.findIndex(sent => isSame(sent, requested));
      const [sent = null] = at < 0 ? [] : left.splice(at, 1);
      return { requested, part: request.parts[index]!, sent };
    });
    expect(left).toEqual([]);
    return [...outcomes.filter(({ sent }) => sent), ...outcomes.filter(({ sent }) => !sent)];
  }

  /** Final status: of own transactions as the client expects it, of others whether the account kept the value. */
  status(entry: Entry): 'success' | 'failed' {
    if (!this.isOwn(entry)) return isReturned(entry) ? 'failed' : 'success';
    if (!this.requestOf(entry)) return isRefused(entry) ? 'failed' : 'success';
    const outcomes = this.outcomes(entry);
    if (outcomes.length === 0) return isRefused(entry) ? 'failed' : 'success';
    const sent = outcomes.filter(({ sent }) => sent);
    return sent.length === 0 || sent.some(({ part }) => part.status === 'failed') ? 'failed' : 'success';
  }

  /** The transactions of the account that an own one has caused. */
  members(entry: Entry): Entry[] {
    if (!this.isOwn(entry)) return [];
    return this.chain.descendants(entry).filter(({ account }) => account === entry.account);
  }

  /** Those that are nobody's member: each is an action. Newest first. */
  roots(entries: readonly Entry[]): Entry[] {
    const members = new Set(entries.flatMap(entry => this.members(entry)));
    return entries.filter(entry => !members.has(entry));
  }

  /** Nanotons by which a transaction, with all that it caused, changed the balance of its account. */
  change(entry: Entry): bigint {
    return [entry, ...this.members(entry)].reduce((sum, each) => sum + balanceChange(each), 0n);
  }
}

/** What the faucet sends, whose requests nobody but itself knows. */
function paidOut(sent: Internal): Outcome {
  const { body, info } = sent;
  const comment = body.beginParse().skip(32).loadStringTail();
  const part: Part = { kind: 'ton_transfer', receiver: info.dest, amount: 'all', comment };
  return { requested: { body, info }, part, sent };
}

function isSame({ info, body }: Internal, requested: MessageRelaxed): boolean {
  return (
    requested.info.type === 'internal' && requested.info.dest.equals(info.dest) && requested.body.equals(body)
  );
}

export function internalOf(message: Message | null | undefined): Internal | null {
  return message && isInternal(message) ? message : null;
}
