import { addressKey } from '../../contracts/http/address-key';
import { jettonPayload, mintlessJettons } from '../../contracts/http/tokens/mintless';
import {
  extraCurrencyHints,
  fullHints,
  hints,
  jettonMetadata,
  jettonTransfers,
  jettonWallet,
  jettonWalletAddress,
  tokenImage,
} from '../../contracts/http/tokens/tokens';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { Problem } from '../../contracts/problem/problem';
import { addressFormatter } from '../../projections/ton/format-address';
import { bind, type Binding } from '../http/binding';
import { imageReply } from '../http/image-reply';
import { createFirstReadLimit } from '../http/limits';
import { networkOf, ownedJetton, tonAccount } from '../../contracts/account/ton-account';
import type { Reader } from '../watch-account';
import type { TokenDeps } from './deps';
import { createDiscovery } from './discovery';
import { readExtraCurrencies } from './extra-currencies';
import { fullHintsOf, mastersOf } from './hints';
import { ownedJettons } from './owned-jettons';
import { createSingleReads } from './single-reads';
import { createMintlessReads } from './mintless';
import { jettonTransfersOf } from './transfers';

/** The tokens of TON: what an owner has, what a token says of itself, and where the jettons of an owner are. */
export function tokenRoutes(deps: TokenDeps): Binding[] {
  const limitFirstRead = createFirstReadLimit(deps.limits);
  // Images are stored nowhere. A wallet that has been sent a hundred tokens shows as many at once.
  const limitImage = createFirstReadLimit(deps.limits, CONTRACT_READS);
  const single = createSingleReads(deps, limitFirstRead);
  const mintless = createMintlessReads(deps, limitFirstRead, single.jetton);
  const discover = createDiscovery(deps);
  const full = ownedJettons(deps, discover, 'full', fullHintsOf);
  const masters = ownedJettons(deps, discover, 'masters', mastersOf);
  const queried = (address: string, isTestnet: 'true' | 'false' | undefined) =>
    tonAccount(address, networkOf(isTestnet), '/query/isTestnet');

  /** The jetton of an owner that a body names: by both, or by the jetton wallet alone. @throws Problem 400, 404, 429, 503 */
  async function jettonIn({ address, master, isTestnet }: JettonBody, caller: Reader) {
    if (master !== undefined) {
      const named = inBody({ address, master, isTestnet });
      return { owner: named.owner, master: named.master.address };
    }
    const wallet = tonAccount(address, networkOf(isTestnet), '/body/isTestnet');
    const found = await single.confirmedWallet(wallet, caller);
    if (!found)
      throw new Problem(
        'jetton_wallet_not_found',
        'No jetton master confirms that this address is one of its wallets.',
      );
    return { owner: { ...wallet, address: found.owner }, master: found.master };
  }

  return [
    bind(fullHints, call => full(queried(call.params.address, call.query.isTestnet), call)),
    bind(hints, async call => ({
      hints: await masters(queried(call.params.address, call.query.isTestnet), call),
      now: Math.floor(deps.clock().getTime() / 1_000),
    })),
    bind(extraCurrencyHints, call =>
      readExtraCurrencies(deps, queried(call.params.address, call.query.isTestnet), call),
    ),
    bind(mintlessJettons, call =>
      mintless.unclaimed(queried(call.params.address, call.query.isTestnet), call),
    ),
    bind(jettonPayload, call => {
      const given = networkOf(call.query.isTestnet);
      const { owner, master } = ownedJetton(call.params.owner, call.params.master, given, '/query/isTestnet');
      return mintless.payload(master, owner, call);
    }),
    bind(jettonMetadata, call => single.metadata(queried(call.query.address, call.query.isTestnet), call)),
    bind(jettonWallet, call => single.wallet(queried(call.params.walletAddress, call.query.isTestnet), call)),
    bind(tokenImage, async call => {
      const { network, address } = queried(call.query.address, call.query.isTestnet);
      await limitImage(`image of ${network}/${address}`, call);
      const { data: image } = await deps.tokenImage.read(
        { network, address },
        { caller: addressKey(call.ip) },
      );
      if (!image) throw new Problem('token_image_not_found', 'The token has no image that can be displayed.');
      return imageReply(image.webp, image.digest === call.query.digest);
    }),
    bind(jettonWalletAddress, async call => {
      const { network, owner, master } = inBody(call.body);
      const wallet = await single.addressOf({ network, owner: owner.address, master: master.address }, call);
      return wallet === null ? null : { address: addressFormatter(network)(wallet) };
    }),
    bind(jettonTransfers, async call => {
      const { limit, beforeLt: from } = call.body;
      const { owner, master } = await jettonIn(call.body, call);
      return jettonTransfersOf(deps, owner, { master, limit, from }, call);
    }),
  ];
}

interface JettonBody {
  readonly address: string;
  readonly master?: string | undefined;
  readonly isTestnet?: boolean | undefined;
}

const inBody = (body: JettonBody & { readonly master: string }) =>
  ownedJetton(body.address, body.master, networkOf(body.isTestnet), '/body/isTestnet');
