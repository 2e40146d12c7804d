import { stringify } from 'lossless-json';
import { z } from 'zod';
import type { StoredAccount } from '../svm/account';
import { base58 } from '../svm/base58';
import { type Commitment, COMMITMENTS, type LedgerTransaction } from '../chain/ledger';
import { SYSTEM } from '../svm/programs';
import { uiAmountsOf } from '../svm/token-balances';
import { notifiedAccountJson, passes } from '../rpc/account-json';
import { checkParams } from '../rpc/check-params';
import { invalidParams } from '../rpc/error';
import { type Node, NODE_VERSION } from '../rpc/method';
import { commitmentOf } from '../rpc/history';
import { findLive, slotAt } from '../chain/unfinalized';
import { createTopics, type Subscription } from './topics';
import { type SubscriptionRequest, SUBSCRIBE_METHODS } from './subscriptions';
import { readJson } from '../../../../contracts/json/read-json';

/** The other end of a WebSocket. */
export interface Listener {
  send(text: string): void;
}

/** The subscriptions of all connections. */
export interface Hub {
  /** Answers a subscribe or unsubscribe method; undefined for other methods. @throws RpcError */
  call(listener: Listener, method: string, params: unknown): number | boolean | undefined;
  /** Removes a connection. */
  leave(listener: Listener): void;
}

interface Subscriber extends SubscriptionRequest {
  readonly listener: Listener;
}

/** Per connection. */
const MAX_SUBSCRIPTIONS = 10_000;

/** A deleted account is shown as an empty one of the system program. */
const DELETED: StoredAccount = {
  lamports: 0n,
  owner: SYSTEM.bytes,
  executable: false,
  data: Buffer.alloc(0),
};

const UNSUBSCRIBE = new Set(
  [...SUBSCRIBE_METHODS.keys()].map(name => name.replace('Subscribe', 'Unsubscribe')),
);

export function createHub(node: Node): Hub {
  const { chain } = node;
  let lastId = 0;
  const topics = createTopics<Subscriber>(() => (lastId += 1));
  const owned = new Map<Listener, Set<number>>();
  const uiAmounts = uiAmountsOf(node.engine);

  const remove = (listener: Listener, id: number): boolean =>
    owned.get(listener)?.delete(id) === true && topics.remove(id);

  const notify = ({ id, detail }: Subscription<Subscriber>, result: unknown): void =>
    detail.listener.send(
      stringify({ jsonrpc: '2.0', method: detail.notification, params: { result, subscription: id } })!,
    );
  const at = (slot: number, value: unknown) => ({ context: { apiVersion: NODE_VERSION, slot }, value });
  const subscribersOf = (topic: string, commitment: Commitment): Subscription<Subscriber>[] =>
    topics.subscribersOf(topic).filter(({ detail }) => detail.commitment === commitment);

  const notifyOfTransaction = (transaction: LedgerTransaction, commitment: Commitment): void => {
    const { slot, signature, err, accountKeys, meta } = transaction;
    for (const subscription of subscribersOf(`signature:${signature}`, commitment)) {
      notify(subscription, at(slot, { err }));
      remove(subscription.detail.listener, subscription.id);
    }
    const subscribers = ['all', ...accountKeys].flatMap(key => subscribersOf(`logs:${key}`, commitment));
    if (subscribers.length === 0) return;
    const { logMessages } = readJson(meta) as { logMessages: string[] };
    for (const subscription of subscribers)
      notify(subscription, at(slot, { signature, err, logs: logMessages }));
  };

  const notifyOfAccount = (
    slot: number,
    address: string,
    account: StoredAccount | null,
    commitment: Commitment,
  ): void => {
    const state = account ?? DELETED;
    for (const subscription of subscribersOf(`account:${address}`, commitment))
      notify(subscription, at(slot, notifiedAccountJson(state, subscription.detail.format, uiAmounts)));
    for (const subscription of subscribersOf(`program:${base58(state.owner)}`, commitment)) {
      if (!passes(state, subscription.detail.filters)) continue;
      notify(
        subscription,
        at(slot, {
          pubkey: address,
          account: notifiedAccountJson(state, subscription.detail.format, uiAmounts),
        }),
      );
    }
  };

  chain.listen({
    opened: (slot, parent, root) => {
      for (const subscription of topics.subscribersOf('slot')) notify(subscription, { slot, parent, root });
    },
    executed: (block, transaction, changed) => {
      if (topics.size === 0) return;
      notifyOfTransaction(transaction, 'processed');
      for (const address of changed)
        notifyOfAccount(block.slot, address, block.after.get(address) ?? null, 'processed');
    },
    // As of everything that it has notified of, a node notifies of the state on the other fork.
    forked: dropped => {
      if (topics.size === 0) return;
      for (const commitment of ['processed', 'confirmed'] as const) {
        const undone = dropped.filter(({ confirmed }) => commitment === 'processed' || confirmed);
        const slot = slotAt(chain.unfinalized, commitment);
        for (const address of new Set(undone.flatMap(({ before }) => [...before.keys()])))
          notifyOfAccount(slot, address, node.accounts.at(address, commitment), commitment);
      }
    },
    reached: (block, commitment) => {
      if (topics.size === 0) return;
      for (const transaction of block.transactions.values()) notifyOfTransaction(transaction, commitment);
      for (const [address, account] of block.after) notifyOfAccount(block.slot, address, account, commitment);
      if (commitment === 'finalized')
        for (const subscription of topics.subscribersOf('root')) notify(subscription, block.slot);
    },
  });

  /** A signature that has already reached the commitment is notified at once, after the answer to the subscribe call. */
  const notifyIfReached = (subscription: Subscription<Subscriber>): void => {
    const { topic, commitment, listener } = subscription.detail;
    if (!topic.startsWith('signature:')) return;
    const signature = topic.slice('signature:'.length);
    setImmediate(() => {
      const found = findLive(chain.unfinalized, signature) ?? chain.queries.transaction(signature);
      if (!found || !owned.get(listener)?.has(subscription.id)) return;
      const reached = commitmentOf(node, found.slot);
      if (COMMITMENTS.indexOf(reached) < COMMITMENTS.indexOf(commitment)) return;
      notify(subscription, at(found.slot, { err: found.err }));
      remove(listener, subscription.id);
    });
  };

  const subscribe = (listener: Listener, request: SubscriptionRequest): number => {
    const mine = owned.get(listener) ?? new Set<number>();
    if (mine.size >= MAX_SUBSCRIPTIONS) throw invalidParams(`at most ${MAX_SUBSCRIPTIONS} subscriptions`);
    const subscription = topics.add(request.topic, { ...request, listener });
    owned.set(listener, mine.add(subscription.id));
    notifyIfReached(subscription);
    return subscription.id;
  };

  return {
    call: (listener, method, params) => {
      if (UNSUBSCRIBE.has(method)) {
        const [id] = checkParams([z.number()], params);
        if (!remove(listener, id)) throw invalidParams('0: no such subscription');
        return true;
      }
      const parse = SUBSCRIBE_METHODS.get(method);
      return parse && subscribe(listener, parse(params));
    },
    leave: listener => {
      for (const id of owned.get(listener) ?? []) topics.remove(id);
      owned.delete(listener);
    },
  };
}
