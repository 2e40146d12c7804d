import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, type MessageRelaxed, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { TonNetwork } from '../../../../contracts/network/network';
import {
  type JettonMaster,
  changeAdminBody,
  jettonMaster,
  jettonTransferBody,
  mintBody,
} from '../jetton/jetton';
import type { MintlessJetton } from '../mintless/mintless';
import { type NftCollection, nftCollection, nftItemAddress, nftMintBody, nftTransferBody } from '../nft/nft';
import { transfer } from '../wallets';
import type { Actor } from './actors';
import { LOCAL_COLLECTION, type LocalJetton, localJettons, localMintless } from './local-tokens';

/** Sends nanotons, and units of the extra currency, from the network's faucet. */
export type FundAccount = (address: string, nanotons: bigint, extra?: bigint) => Promise<unknown>;

const TARGET_BALANCE = toNano(1_000);
const MIN_BALANCE = toNano(100);
const INITIAL_EXTRA = 1_000_000n;
/** Whole jettons for each holder. */
const INITIAL_JETTONS = 1_000_000n;
/** Actors with all tokens, the issuer included. */
export const COLLECTORS = 3;
const POLL_MS = 20;

async function balance(client: TonClient4, address: Address): Promise<bigint> {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, address);
  return BigInt(account.balance.coins);
}

/** Refills low balances; the first time with some of the extra currency. */
export async function fundActors(
  client: TonClient4,
  actors: readonly Actor[],
  fund: FundAccount,
): Promise<void> {
  await Promise.all(
    actors.map(async ({ contract: { address } }) => {
      const coins = await balance(client, address);
      if (coins === 0n) await fund(address.toRawString(), TARGET_BALANCE, INITIAL_EXTRA);
      else if (coins < MIN_BALANCE) await fund(address.toRawString(), TARGET_BALANCE - coins);
    }),
  );
}

/** The tokens of a network. */
export interface LocalTokens {
  /** In the order of `localJettons`. */
  readonly jettons: readonly JettonMaster[];
  readonly mintless: MintlessJetton;
  readonly collection: NftCollection;
  /** The n-th is that of index n, which the n-th actor had first. */
  readonly items: readonly Address[];
}

/**
 * Deploys the tokens that are missing. Every actor has the jetton of the traffic, the first few of them all tokens. Every actor
 * may claim the mintless jetton, and the last one has.
 */
export async function issueTokens(
  client: TonClient4,
  network: TonNetwork,
  actors: readonly Actor[],
): Promise<LocalTokens> {
  const issuer = actors[0]!;
  const admin = issuer.contract.address;
  const issued = localJettons(network);
  const jettons = issued.map(({ metadata }) => jettonMaster(admin, metadata));
  const mintless = localMintless(network);
  const collection = nftCollection(admin, LOCAL_COLLECTION);
  const collectors = actors.slice(0, COLLECTORS);
  const items = collectors.map((_, index) => nftItemAddress(collection.address, index));

  const { last } = await client.getLastBlock();
  const isMissing = async ({ address }: { readonly address: Address }): Promise<boolean> =>
    !(await client.isContractDeployed(last.seqno, address));
  const messages: MessageRelaxed[] = [];
  for (const [i, jetton] of issued.entries())
    if (await isMissing(jettons[i]!))
      messages.push(...issueJetton(jettons[i]!, i === 0 ? actors : collectors, jetton));
  if (await isMissing(mintless))
    messages.push(internal({ to: mintless.address, value: toNano('0.2'), init: mintless.init }));
  if (await isMissing(collection)) messages.push(...mintItems(collection, collectors));
  // One transaction: a start that is interrupted has issued all or nothing.
  if (messages.length > 0) await transfer(client, issuer, messages);
  await handOut(client, collectors, items);
  const claimant = actors.at(-1)!;
  if (await isMissing({ address: mintless.walletOf(claimant.contract.address) }))
    await transfer(client, claimant, [claimMessage(mintless, claimant, admin)]);
  return { jettons, mintless, collection, items };
}

/** The first of these messages deploys the master. The issuer gives up a jetton that is ownerless. */
function issueJetton(
  master: JettonMaster,
  holders: readonly Actor[],
  { metadata, isOwnerless }: LocalJetton,
): MessageRelaxed[] {
  const amount = INITIAL_JETTONS * 10n ** BigInt(metadata.decimals);
  const mints = holders.map(({ contract }, i) =>
    internal({
      to: master.address,
      value: toNano('0.2'),
      ...(i === 0 ? { init: master.init } : {}),
      body: mintBody({ to: contract.address, amount, value: toNano('0.1'), forwardValue: 1n }),
    }),
  );
  const abandon = internal({ to: master.address, value: toNano('0.05'), body: changeAdminBody(null) });
  return isOwnerless ? [...mints, abandon] : mints;
}

/** Claims all of what an actor may, and sends a tenth of it. */
function claimMessage(
  mintless: MintlessJetton,
  { contract: { address: owner } }: Actor,
  to: Address,
): MessageRelaxed {
  const { amount, customPayload, stateInit } = mintless.claimOf(owner)!;
  const body = jettonTransferBody({
    to,
    amount: amount / 10n,
    response: owner,
    forwardValue: 1n,
    customPayload,
    comment: 'claimed',
  });
  return internal({ to: mintless.walletOf(owner), value: toNano('0.2'), init: stateInit, body });
}

/** Items for the issuer, one for each collector. The first of these messages deploys the collection. */
const mintItems = (collection: NftCollection, collectors: readonly Actor[]): MessageRelaxed[] =>
  collectors.map(({ name }, index) =>
    internal({
      to: collection.address,
      value: toNano('0.2'),
      ...(index === 0 ? { init: collection.init } : {}),
      body: nftMintBody({
        index,
        to: collectors[0]!.contract.address,
        metadata: {
          name: `Ship of ${name}`,
          description: `Item ${index} of ${LOCAL_COLLECTION.name}.`,
          image: `https://local.invalid/ship-${index}.png`,
        },
        value: toNano('0.1'),
      }),
    }),
  );

/** The issuer gives the items to their collectors, whom the item notifies, unless that was done before. */
async function handOut(
  client: TonClient4,
  [issuer, ...others]: readonly Actor[],
  items: readonly Address[],
): Promise<void> {
  const owner = issuer!.contract.address;
  const holder = await ownerOf(client, items.at(-1)!);
  if (!holder.equals(owner)) return;
  const gifts = others.map(({ contract: { address } }, i) =>
    internal({
      to: items[i + 1]!,
      value: toNano('0.1'),
      body: nftTransferBody({ to: address, response: owner, forwardValue: 1n }),
    }),
  );
  await transfer(client, issuer!, gifts);
}

/** Waits until the item exists, which its collection is deploying. */
async function ownerOf(client: TonClient4, item: Address): Promise<Address> {
  for (;;) {
    const { last } = await client.getLastBlock();
    if (await client.isContractDeployed(last.seqno, item)) {
      const { reader } = await client.runMethod(last.seqno, item, 'get_nft_data');
      if (reader.readBoolean()) {
        reader.skip(2);
        return reader.readAddress();
      }
    }
    await sleep(POLL_MS);
  }
}
