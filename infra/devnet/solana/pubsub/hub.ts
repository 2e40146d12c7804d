import { z } from 'zod';
import type { StoredAccount } from '../svm/account';
import { base58 } from '../svm/base58';
import { type Commitment, COMMITMENTS, type LedgerTransaction } from '../chain/ledger';
import { SYSTEM } from '../svm/programs';
import { decimalsOf } from '../svm/token-balances';
import { notifiedAccountJson, passes } from '../rpc/account-json';
import { checkParams } from '../rpc/check';
import { invalidParams } from '../rpc/error';
import { type Node, NODE_VERSION } from '../rpc/method';
import { commitmentOf } from '../rpc/history';
import { findLive } from '../chain/window';
import { createTopics, type Subscription } from './topics';
import { type Wish, WISHES } from './wishes';

/** The other end of a WebSocket. */
export interface Listener {
  send(text: string): void;
}

/** Subscriptions of all connections to one chain. */
export interface Hub {
  /** Answers a subscribing or unsubscribing call; undefined when the call is neither. @throws RpcError */
  call(listener: Listener, method: string, params: unknown): number | boolean | undefined;
  /** Forgets a connection. */
  leave(listener: Listener): void;
}

interface Subscriber extends Wish {
  readonly listener: Listener;
}

/** Of one connection. */
const MAX_SUBSCRIPTIONS = 10_000;

/** An account that was emptied is shown as the system's. */
const GONE: StoredAccount = { lamports: 0n, owner: SYSTEM.bytes, executable: false, data: Buffer.alloc(0) };

const UNSUBSCRIBE = new Set([...WISHES.keys()].map(name => name.replace('Subscribe', 'Unsubscribe')));

export function createHub(node: Node): Hub {
  const { chain } = node;
  let lastId = 0;
  const topics = createTopics<Subscriber>(() => (lastId += 1));
  const owned = new Map<Listener, Set<number>>();
  const decimals = decimalsOf(node.engine);

  const remove = (listener: Listener, id: number): boolean =>
    owned.get(listener)?.delete(id) === true && topics.remove(id);

  const tell = ({ id, detail }: Subscription<Subscriber>, result: unknown): void =>
    detail.listener.send(
      JSON.stringify({ jsonrpc: '2.0', method: detail.notification, params: { result, subscription: id } }),
    );
  const at = (slot: number, value: unknown) => ({ context: { apiVersion: NODE_VERSION, slot }, value });
  const about = (topic: string, commitment: Commitment): Subscription<Subscriber>[] =>
    topics.about(topic).filter(({ detail }) => detail.commitment === commitment);

  const tellTransaction = (transaction: LedgerTransaction, commitment: Commitment): void => {
    const { slot, signature, err, mentions, meta } = transaction;
    for (const subscription of about(`signature:${signature}`, commitment)) {
      tell(subscription, at(slot, { err }));
      remove(subscription.detail.listener, subscription.id);
    }
    const readers = ['all', ...mentions].flatMap(key => about(`logs:${key}`, commitment));
    if (readers.length === 0) return;
    const { logMessages } = JSON.parse(meta) as { logMessages: string[] };
    for (const reader of readers) tell(reader, at(slot, { signature, err, logs: logMessages }));
  };

  const tellAccount = (
    slot: number,
    address: string,
    account: StoredAccount | null,
    commitment: Commitment,
  ): void => {
    const state = account ?? GONE;
    for (const watcher of about(`account:${address}`, commitment))
      tell(watcher, at(slot, notifiedAccountJson(state, watcher.detail.format, decimals)));
    for (const watcher of about(`program:${base58(state.owner)}`, commitment)) {
      if (!passes(state, watcher.detail.filters)) continue;
      tell(
        watcher,
        at(slot, { pubkey: address, account: notifiedAccountJson(state, watcher.detail.format, decimals) }),
      );
    }
  };

  chain.listen({
    opened: (slot, parent, root) => {
      for (const subscription of topics.about('slot')) tell(subscription, { slot, parent, root });
    },
    executed: (block, transaction, changed) => {
      if (topics.size === 0) return;
      tellTransaction(transaction, 'processed');
      for (const address of changed)
        tellAccount(block.slot, address, block.after.get(address) ?? null, 'processed');
    },
    reached: (block, commitment) => {
      if (topics.size === 0) return;
      for (const transaction of block.transactions.values()) tellTransaction(transaction, commitment);
      for (const [address, account] of block.after) tellAccount(block.slot, address, account, commitment);
      if (commitment === 'finalized')
        for (const subscription of topics.about('root')) tell(subscription, block.slot);
    },
  });

  /** A signature that is settled already is told at once, after the answer to the subscribing call. */
  const tellIfSettled = (subscription: Subscription<Subscriber>): void => {
    const { topic, commitment, listener } = subscription.detail;
    if (!topic.startsWith('signature:')) return;
    const signature = topic.slice('signature:'.length);
    setImmediate(() => {
      const found = findLive(chain.window, signature) ?? chain.queries.transaction(signature);
      if (!found || !owned.get(listener)?.has(subscription.id)) return;
      const reached = commitmentOf(node, found.slot);
      if (COMMITMENTS.indexOf(reached) < COMMITMENTS.indexOf(commitment)) return;
      tell(subscription, at(found.slot, { err: found.err }));
      remove(listener, subscription.id);
    });
  };

  const subscribe = (listener: Listener, wish: Wish): number => {
    const mine = owned.get(listener) ?? new Set<number>();
    if (mine.size >= MAX_SUBSCRIPTIONS) throw invalidParams(`at most ${MAX_SUBSCRIPTIONS} subscriptions`);
    const subscription = topics.add(wish.topic, { ...wish, listener });
    owned.set(listener, mine.add(subscription.id));
    tellIfSettled(subscription);
    return subscription.id;
  };

  return {
    call: (listener, method, params) => {
      if (UNSUBSCRIBE.has(method)) {
        const [id] = checkParams([z.number()], params);
        if (!remove(listener, id)) throw invalidParams('0: no such subscription');
        return true;
      }
      const wishing = WISHES.get(method);
      return wishing && subscribe(listener, wishing(params));
    },
    leave: listener => {
      for (const id of owned.get(listener) ?? []) topics.remove(id);
      owned.delete(listener);
    },
  };
}
