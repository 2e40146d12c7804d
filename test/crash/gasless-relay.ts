import { Address } from '@ton/core';
import {
  GASLESS_SEND_CATEGORY,
  gaslessSendEvents,
  type GaslessSendEvent,
} from '../../contracts/events/gasless-send';
import type { EventStore } from '../../contracts/ports/event-store';
import { localWallet } from '../../infra/devnet/ton/wallets';
import { gaslessSendingWith } from '../../infra/program/features/gasless/sending';
import { ton } from '../../infra/program/features/ton';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import { watch } from '../../infra/program/features/watch';
import { relayView } from '../gasless/local-relay';
import { gaslessDeps, post, quoteFor, relayerOf, signedCarrier } from '../gasless/relayer';
import { startTestProgram } from '../program';

/** What a parent asks for: each is answered with its number. */
export type RelayAsk = { readonly number: number } & (
  | { readonly type: 'sign'; readonly seed: string; readonly to: string; readonly amount: string }
  | { readonly type: 'post'; readonly seed: string; readonly boc: string }
  /** How many transfers have ended. */
  | { readonly type: 'count' }
);

/** `boc` of what was signed, base64; `refused`: null where it was accepted. */
export type RelayAnswer = { readonly number: number } & (
  | { readonly boc: string }
  | { readonly refused: string | null }
  | { readonly ended: number }
  | { readonly failed: string }
);

const ENDS: readonly GaslessSendEvent['type'][] = ['GaslessSendConfirmed', 'GaslessSendExpired'];

async function countEnded(store: Pick<EventStore, 'readAll'>): Promise<number> {
  let count = 0;
  for await (const events of store.readAll({ categories: [GASLESS_SEND_CATEGORY] }))
    count += events.filter(event => ENDS.includes(gaslessSendEvents.read(event).type)).length;
  return count;
}

/** A program that has a relayer of a local testnet, in a process of its own that its parent kills. */
async function run(url: string, folder: string): Promise<void> {
  const view = await relayView([url]);
  const relayer = relayerOf(view);
  const relayers = Promise.resolve((network: string) => (network === 'testnet' ? relayer : null));
  const program = await startTestProgram({
    features: [watch, ton, gaslessSendingWith(() => relayers)],
    beside: [tonContracts],
    settings: { TON_RPC_URL_TESTNET: url },
    folder,
  });
  const { engines, handle } = program.deps;
  const test = { deps: gaslessDeps(relayer, { store: engines.store, handle }) };

  async function answer(ask: RelayAsk): Promise<RelayAnswer> {
    const { number } = ask;
    if (ask.type === 'count') return { number, ended: await countEnded(engines.store) };
    const { seed } = ask;
    const wallet = localWallet(seed, 'v5r1', 'testnet');
    if (ask.type === 'post') {
      const refused = await post(test, Buffer.from(ask.boc, 'base64'), wallet, seed);
      return { number, refused: refused && `${refused.error}: ${refused.detail}` };
    }
    const to = Address.parseRaw(ask.to);
    const quote = await quoteFor(test, view, { wallet, to, amount: BigInt(ask.amount) });
    return { number, boc: (await signedCarrier(quote, { wallet, seqno: 0 })).toString('base64') };
  }

  process.on('message', (ask: RelayAsk) => {
    void answer(ask)
      .catch((error: unknown): RelayAnswer => ({ number: ask.number, failed: String(error) }))
      .then(sent => process.send!(sent));
  });
  process.send!('ready');
}

void run(process.argv[2]!, process.argv[3]!);
