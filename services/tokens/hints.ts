import type { FullHints, Hint } from '../../contracts/http/tokens';
import { jsonObject, JsonText } from '../../contracts/json-text';
import type { TonNetwork } from '../../contracts/network';
import { addressFormatter, type FormatAddress } from '../../projections/ton/format-address';
import type { TokenDeps } from './deps';
import { imageUrl } from '../token-attributes';
import type { OwnedJetton } from './owned-jettons';

/** Of a jetton that has a server for payloads (TEP-176): wallets ask for one before they send. */
const CUSTOM_PAYLOAD = 'custom_payload';

/** The full list as its text: it is made again at each change of a balance. */
export function fullHintsOf(
  network: TonNetwork,
  jettons: readonly OwnedJetton[],
  gatewayUrl: TokenDeps['gatewayUrl'],
): JsonText<FullHints> {
  const format = addressFormatter(network);
  const hints = jettons.map(jetton => new JsonText<Hint>(JSON.stringify(hintOf(jetton, format, gatewayUrl))));
  return jsonObject<FullHints>({
    hints,
    addressesIndex: Object.fromEntries(
      jettons.flatMap(({ wallet, jetton: { master } }, place) => [
        [format(master), place],
        [format(wallet), place],
      ]),
    ),
  });
}

/** The compact list: the masters. */
export function mastersOf(network: TonNetwork, jettons: readonly OwnedJetton[]): string[] {
  const format = addressFormatter(network);
  return [...new Set(jettons.map(({ jetton }) => format(jetton.master)))];
}

export function hintOf(
  { wallet, balance, at, jetton: { master, attributes, verification } }: OwnedJetton,
  format: FormatAddress,
  gatewayUrl: TokenDeps['gatewayUrl'],
): Hint {
  const { name, symbol, decimals, image, customPayloadApiUri } = attributes;
  return {
    balance,
    at,
    walletAddress: { address: format(wallet), isScam: verification === 'blacklist', isWallet: true },
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
