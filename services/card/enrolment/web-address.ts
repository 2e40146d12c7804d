import { cardNetworkOf } from '../../../contracts/http/card/mount';
import type { TonNetwork } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import type { AnyCall } from '../../http/call';
import type { CardDeps } from '../deps';

type Place = Pick<CardDeps, 'isOn' | 'webUrl'>;

/** The network of the card service that is called. @throws Problem 404 `card_off` */
export function expectCardOn({ isOn }: Pick<Place, 'isOn'>, call: Pick<AnyCall, 'route'>): TonNetwork {
  const network = cardNetworkOf(call);
  if (!isOn(network)) throw new Problem('card_off', `This instance has no card service on ${network}.`);
  return network;
}

/** By these alone nobody else can have a wallet prove something for us. */
const THIS_MACHINE = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The origin of the web address of the card service: what the settings say, or else where it is called, on this machine alone:
 * the domain of a proof must not be what a stranger says.
 * @throws Problem 404 `card_off`
 */
export function cardWebOrigin(
  { webUrl }: Pick<Place, 'webUrl'>,
  network: TonNetwork,
  { origin }: Pick<AnyCall, 'origin'>,
): string {
  const given = webUrl(network);
  if (given !== null) return new URL(given).origin;
  if (origin !== null && THIS_MACHINE.includes(new URL(origin).hostname)) return origin;
  throw new Problem(
    'card_off',
    `The card service on ${network} has no web address: the setting of it, or PUBLIC_URL, is not set.`,
  );
}
