import type { FullHints, Hint } from '../../contracts/http/tokens/tokens';
import { jsonObject, JsonText } from '../../contracts/json/json-text';
import type { TonNetwork } from '../../contracts/network/network';
import { addressFormatter, type FormatAddress } from '../../projections/ton/format-address';
import { tokenImageUrl, type TokenImages } from '../token-attributes';
import type { ShownJetton } from './known-jettons';
import type { OwnedJetton } from './owned-jettons';

/** Of a jetton that has a server for payloads (TEP-176): wallets ask for one before they send. */
const CUSTOM_PAYLOAD = 'custom_payload';

/** Of each jetton its part of a hint as text: it is the same for every owner at one URL, and while the jetton is cached. */
const texts = new WeakMap<ShownJetton, { readonly api: string | null; readonly text: string }>();

function textOf(jetton: ShownJetton, network: TonNetwork, images: TokenImages): string {
  const { api } = images;
  const known = texts.get(jetton);
  if (known?.api === api) return known.text;
  const text = JSON.stringify(jettonOf(jetton, network, images)).slice(1);
  texts.set(jetton, { api, text });
  return text;
}

/** The full list as its text: after a change of a balance, only what is of the owner is written again. */
export function fullHintsOf(
  network: TonNetwork,
  jettons: readonly OwnedJetton[],
  images: TokenImages,
): JsonText<FullHints> {
  const format = addressFormatter(network);
  let hints = '';
  let index = '';
  jettons.forEach((owned, place) => {
    const { wallet, jetton } = owned;
    const comma = place === 0 ? '' : ',';
    hints += `${comma}${JSON.stringify(ownedOf(owned, format)).slice(0, -1)},${textOf(jetton, network, images)}`;
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
export function hintOf(owned: OwnedJetton, network: TonNetwork, images: TokenImages): Hint {
  return { ...ownedOf(owned, addressFormatter(network)), ...jettonOf(owned.jetton, network, images) };
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
  network: TonNetwork,
  images: TokenImages,
): Pick<Hint, 'jetton' | 'extensions'> {
  const { name, symbol, decimals, customPayloadApiUri } = attributes;
  return {
    jetton: {
      address: addressFormatter(network)(master),
      name: name ?? '',
      symbol: symbol ?? '',
      decimals,
      image: tokenImageUrl(attributes, { network, address: master }, images) ?? '',
      verification,
      ...(customPayloadApiUri !== null && { customPayloadApiUri }),
    },
    ...(customPayloadApiUri !== null && { extensions: [CUSTOM_PAYLOAD] }),
  };
}
