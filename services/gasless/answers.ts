import { Cell } from '@ton/core';
import { parseTonAddress } from '../../contracts/account/address';
import { addressKey } from '../../contracts/http/address-key';
import { GASLESS_ESTIMATES, GASLESS_SENDS } from '../../contracts/http/ton/gasless';
import type { TonNetwork } from '../../contracts/network/network';
import { WrongExpectedRevision } from '../../contracts/ports/event-store';
import { GetMethodFailed } from '../../contracts/ports/ton-client';
import { CannotEmulate } from '../../contracts/ports/ton-emulator';
import {
  UpstreamRefused,
  UpstreamUnavailable,
  type GaslessUpstream,
} from '../../contracts/ports/gasless-upstream';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { Problem } from '../../contracts/problem/problem';
import type { Quota } from '../../contracts/quota';
import { isWithinQuota } from '../http/limits';
import type { Reader } from '../watch-account';
import { isRefusal, refusal, type GaslessDeps, type GaslessRefusal } from './deps';
import { estimate } from './estimate/estimate';
import { advertisedJettons } from './jettons/list';
import { handOver, type HandoverDeps } from './handover/hand-over';
import { upstreamQuote } from './handover/upstream-quote';
import { quoteView, type QuoteView } from './quote/view';
import { relayAddress } from './relay/relay-account';
import { readCarrier, type Carrier } from './request/carrier';
import { readJettonMessage } from './request/jetton-message';
import { acceptSend } from './send/send';
import { createTransferSemaphore } from './transfer-semaphore';

export interface GaslessRoutesDeps extends GaslessDeps, Omit<HandoverDeps, keyof GaslessDeps> {
  /** The relayer of somebody else that is used in place of our own; null where there is none. */
  upstream(network: TonNetwork): GaslessUpstream | null;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  /** A pseudonym of an address. */
  readonly sourceOf: (ip: string) => string;
}

type Caller = Pick<Reader, 'ip'>;

/** As clients write it: addresses in any form, keys and cells in hexadecimal. */
export interface AskedEstimate {
  readonly network: TonNetwork;
  readonly master: string;
  readonly wallet_address: string;
  readonly wallet_public_key: string;
  readonly messages: readonly { readonly boc: string }[];
}

export interface AskedSend {
  readonly network: TonNetwork;
  readonly wallet_public_key: string;
  readonly boc: string;
}

export interface GaslessConfig {
  readonly gas_jettons: { readonly master_id: string }[];
  readonly relay_address: string;
}

/** What the endpoints of all dialects answer with. */
export interface GaslessAnswers {
  /** @throws Problem 404 `gasless_off`; 503 while the relayer of somebody else does not answer */
  config(network: TonNetwork): Promise<GaslessConfig>;
  /** @throws Problem 503 while no node answers */
  estimate(asked: AskedEstimate, caller: Caller): Promise<QuoteView | GaslessRefusal>;
  /** @throws Problem 503 while no node answers, or nobody knows whether it was taken: it is to be posted again */
  send(asked: AskedSend, caller: Reader): Promise<Carrier | GaslessRefusal>;
}

const RETRY_AFTER_SECONDS = 1;

export function createGaslessAnswers(deps: GaslessRoutesDeps): GaslessAnswers {
  const estimates = createTransferSemaphore();
  const sends = createTransferSemaphore();

  /** Beyond a quota the answer is a refusal: applications repeat everything else up to fifty times. */
  async function within<Result extends object>(
    quota: Quota,
    { ip }: Caller,
    answer: () => Promise<Result | GaslessRefusal>,
  ): Promise<Result | GaslessRefusal> {
    if (!(await isWithinQuota(await deps.limits(), quota, { ip })))
      return refusal('try-later', `more than ${quota.name}`);
    return answer();
  }

  function logged<Result extends object>(
    network: TonNetwork,
    what: 'estimate' | 'send',
    answer: Result | GaslessRefusal,
  ): Result | GaslessRefusal {
    if (isRefusal(answer)) deps.logger.debug({ network, ...answer }, `gasless ${what} refused`);
    return answer;
  }

  return {
    async config(network) {
      const upstream = deps.upstream(network);
      if (upstream) return upstreamConfig(upstream);
      const relayer = deps.relayer(network);
      if (!relayer) throw new Problem('gasless_off', `This instance relays nothing on ${network}.`);
      return {
        gas_jettons: (await advertisedJettons(relayer)).map(({ master }) => ({ master_id: master })),
        relay_address: relayAddress(relayer),
      };
    },
    async estimate(asked, caller) {
      const answer = await within(GASLESS_ESTIMATES, caller, () =>
        estimates(addressKey(caller.ip), () => answerOf(() => quoteFor(deps, asked, addressKey(caller.ip)))),
      );
      return logged(asked.network, 'estimate', answer);
    },
    async send(asked, caller) {
      const answer = await within(GASLESS_SENDS, caller, () =>
        sends(addressKey(caller.ip), () => answerOf(() => send(deps, asked, caller))),
      );
      return logged(asked.network, 'send', answer);
    },
  };
}

/**
 * A contract that lacks what every jetton has makes a refusal: such a transfer can never be carried out. When programs keep
 * changing the budget of all at the same time, applications ask again by themselves.
 */
async function answerOf<Result>(answer: () => Promise<Result>): Promise<Result | GaslessRefusal> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof UpstreamRefused) return refusal(error.reason, error.message);
    if (error instanceof GetMethodFailed || error instanceof CannotEmulate)
      return refusal('try-later', error.message);
    if (error instanceof WrongExpectedRevision)
      throw Problem.unavailable(
        'Too many transfers are sent at the same time; try again.',
        RETRY_AFTER_SECONDS,
      );
    throw error;
  }
}

/** @throws Problem 503 */
async function upstreamConfig(upstream: GaslessUpstream): Promise<GaslessConfig> {
  try {
    const { jettons, relay } = await upstream.config();
    return { gas_jettons: jettons.map(master_id => ({ master_id })), relay_address: relay };
  } catch (error) {
    if (!(error instanceof UpstreamUnavailable)) throw error;
    throw Problem.unavailable('The relayer does not answer; try again.', RETRY_AFTER_SECONDS);
  }
}

async function quoteFor(
  deps: GaslessRoutesDeps,
  { network, master, wallet_address, wallet_public_key, messages }: AskedEstimate,
  caller: string,
): Promise<QuoteView | GaslessRefusal> {
  if (messages.length !== 1) return refusal('try-later', 'more than one message');
  const cell = cellOf(messages[0]!.boc);
  const target = cell && readJettonMessage(cell);
  if (!target) return refusal('try-later', 'not a transfer of jettons');
  const asked = {
    wallet: rawOf(wallet_address),
    publicKey: wallet_public_key.toLowerCase(),
    master: rawOf(master),
    target,
  };
  const upstream = deps.upstream(network);
  if (upstream) return upstreamQuote(upstream, { ...asked, caller, message: messages[0]!.boc });
  const quote = await estimate(deps, { network, ...asked });
  return isRefusal(quote) ? quote : quoteView(quote);
}

async function send(
  deps: GaslessRoutesDeps,
  { network, wallet_public_key, boc }: AskedSend,
  reader: Reader,
): Promise<Carrier | GaslessRefusal> {
  const carrier = readCarrier(Buffer.from(boc, 'hex'));
  if (!carrier) return refusal('try-later', 'not a request in an external message');
  const posted = { network, publicKey: wallet_public_key.toLowerCase(), carrier };
  const upstream = deps.upstream(network);
  const source = deps.sourceOf(reader.ip);
  const refused = upstream
    ? await handOver(deps, upstream, { ...posted, boc, source }, reader)
    : await acceptSend(deps, { ...posted, source });
  return refused ?? carrier;
}

/** Null for cells that no message can have. */
function cellOf(hex: string): Cell | null {
  try {
    const cell = Cell.fromBoc(Buffer.from(hex, 'hex'))[0]!;
    return cell.level() === 0 ? cell : null;
  } catch {
    return null;
  }
}

/** Of an address that is valid. */
const rawOf = (address: string): string => parseTonAddress(address)!.raw;
