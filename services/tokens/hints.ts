import type { FullHints, Hint } from '../../contracts/http/tokens';
import { jsonObject, JsonText } from '../../contracts/json-text';
import type { TonNetwork } from '../../contracts/network';
import { addressFormatter, type FormatAddress } from '../../projections/ton/format-address';
import type { TokenDeps } from './deps';
import { imageUrl } from '../token-attributes';
import type { ShownJetton } from './known-jettons';
import type { OwnedJetton } from './owned-jettons';

/** Of a jetton that has a server for payloads (TEP-176): wallets ask for one before they send. */
const CUSTOM_PAYLOAD = 'custom_payload';

/** Of each jetton its part of a hint as text: it is the same for every owner, and while the jetton is cached. */
const texts = new WeakMap<ShownJetton, string>();

/** The full list as its text: after a change of a balance, only what is of the owner is written again. */
export function fullHintsOf(
  network: TonNetwork,
  jettons: readonly OwnedJetton[],
  gatewayUrl: TokenDeps['gatewayUrl'],
): JsonText<FullHints> {
  const format = addressFormatter(network);
  let hints = '';
  let index = '';
  jettons.forEach((owned, place) => {
    const { wallet, jetton } = owned;
    const text = texts.get(jetton) ?? JSON.stringify(jettonOf(jetton, format, gatewayUrl)).slice(1);
    texts.set(jetton, text);
    const comma = place === 0 ? '' : ',';
    hints += `${comma}${JSON.stringify(ownedOf(owned, format)).slice(0, -1)},${text}`;
    index += `${comma}"${format(jetton.master)}":${place},"${format(wallet)}":${place}`;
  });
  return jsonObject<FullHints>({
    hints: new JsonText(`[${hints}]`),
    addressesIndex: new JsonText(`{${index}}`),
  });
}

/** The compact list: the masters. */
export function mastersOf(network: TonNetwork, jettons: readonly OwnedJetton[]): string[] {
  const format = addressFormatter(network);
  return [...new Set(jettons.map(({ jetton }) => format(jetton.master)))];
}

/** A jetton of an owner as the full list has it. */
export function hintOf(owned: OwnedJetton, format: FormatAddress, gatewayUrl: TokenDeps['gatewayUrl']): Hint {
  return { ...ownedOf(owned, format), ...jettonOf(owned.jetton, format, gatewayUrl) };
}

const ownedOf = (
  { wallet, jetton: { verification }, balance, at, price }: OwnedJetton,
  format: FormatAddress,
): Omit<Hint, 'jetton' | 'extensions'> => ({
  balance,
  at,
  ...(price && { price }),
  walletAddress: { address: format(wallet), isScam: verification === 'blacklist', isWallet: true },
});

function jettonOf(
  { master, attributes, verification }: ShownJetton,
  format: FormatAddress,
  gatewayUrl: TokenDeps['gatewayUrl'],
): Pick<Hint, 'jetton' | 'extensions'> {
  const { name, symbol, decimals, image, customPayloadApiUri } = attributes;
  return {
    jetton: {
      address: format(master),
      name: name ?? '',
      symbol: symbol ?? '',
      decimals,
      image: imageUrl(image, gatewayUrl) ?? '',
      verification,
      ...(customPayloadApiUri !== null && { customPayloadApiUri }),
    },
    ...(customPayloadApiUri !== null && { extensions: [CUSTOM_PAYLOAD] }),
  };
}
