import { Address, Cell, Dictionary, loadStateInit, type DictionaryValue } from '@ton/core';
import { z } from 'zod';
import { isSmallTree } from '../../../contracts/chain/ton-cells';
import {
  customPayloadObserved,
  type CustomPayloadObserved,
  type CustomPayloadSubject,
} from '../../../contracts/chain/ton-token-observations';
import { defineObservation, type Reading } from '../../../contracts/observation/observation';
import type { PublicWeb } from '../../../contracts/ports/public-web';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { HttpError } from '../../http-response';
import { askContract } from '../get-method';
import { knownWalletOf } from '../jetton-wallets';
import { PUBLIC_WEB } from './public-web';
import { contractSubject } from './source';
import { readJson } from '../../../contracts/json/read-json';

/** `merkle_airdrop_claim` of TEP-177. */
const CLAIM = 0x0df602d6;
/** The type of an exotic cell. */
const MERKLE_PROOF = 3;

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;

/** A proof has some three thousand bytes in a tree of billions of owners. */
const cellText = z.base64().max(16 * 1024);

/** `GET {uri}/wallet/{owner}` of TEP-176; what it says of amounts is not used, as the proof has them. */
const answer = z.object({ custom_payload: cellText.nullish(), state_init: cellText.nullish() });
type Answer = z.infer<typeof answer>;

type Claim = NonNullable<NonNullable<CustomPayloadObserved>['claim']>;

/**
 * What an owner attaches to transfers of a jetton that has a server for it (TEP-176), and the mintless jettons that are not
 * claimed yet (TEP-177). The server is not believed: the state has to be that of the wallet, and a claim has to be proved by
 * the root of the master. A read that fails takes back nothing that an earlier one has read.
 */
export const customPayloadObservation = defineObservation({
  kind: 'ton.jetton.payload',
  // A part of a collection, here that of the owner, ends at the first `/`.
  subject: {
    format: ({ network, owner, master, uri }: CustomPayloadSubject) =>
      `${contractSubject.format({ network, address: owner })}/${master}/${encodeURIComponent(uri)}`,
    parse(text): CustomPayloadSubject {
      const [account = '', master, uri] = text.split('/');
      if (!master || !uri) throw new Error(`not a jetton of an owner: ${text}`);
      const { network, address: owner } = contractSubject.parse(account);
      return { network, owner, master, uri: decodeURIComponent(uri) };
    },
  },
  schema: customPayloadObserved,
  source: PUBLIC_WEB,
  minAgeMs: 1_000,
  staleAfterMs: 60_000,
  ages: true,
  async read({ ton, web }, subject, signal): Promise<Reading<CustomPayloadObserved>> {
    const client = ton(subject.network);
    const { seqno: height } = await client.getLastBlock();
    const wallet = await knownWalletOf(client, subject);
    if (wallet === null) return { height, data: null };
    const balance = await balanceOf(client, height, wallet, subject.owner);
    const isClaimed = await askContract(client, height, wallet, 'is_claimed', [], stack =>
      stack.readBoolean(),
    );
    const chain = { wallet, balance };
    if (isClaimed.value === true)
      return { height, data: { ...chain, customPayload: null, stateInit: null, claim: null } };
    try {
      const offered = await ask(web, subject, signal);
      return { height, data: { ...chain, ...(await verified(client, height, subject, wallet, offered)) } };
    } catch (error) {
      if (signal.aborted) throw error;
      return { height, data: null };
    }
  },
  merge: (older, newer) => newer.data ?? older.data,
});

async function balanceOf(client: TonClient, seqno: number, wallet: string, owner: string): Promise<string> {
  const { value } = await askContract(client, seqno, wallet, 'get_wallet_data', [], stack => ({
    balance: stack.readBigNumber(),
    owner: stack.readAddress().toRawString(),
  }));
  return value?.owner === owner && value.balance > 0n ? String(value.balance) : '0';
}

/** What the server of the jetton offers an owner; nothing where it does not know the owner. @throws Error for every other failure */
async function ask(
  web: PublicWeb,
  { uri, owner }: CustomPayloadSubject,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const url = `${uri.replace(/\/$/, '')}/wallet/${owner}`;
    const bytes = await web.get(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
    return answer.parse(readJson(bytes.toString('utf8')));
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return {};
    throw error;
  }
}

/** @throws Error when something of it is not what it has to be */
async function verified(
  client: TonClient,
  seqno: number,
  { master, owner }: CustomPayloadSubject,
  wallet: string,
  { custom_payload: payload, state_init: init }: Answer,
) {
  if (init && !isStateOf(Cell.fromBase64(init), wallet))
    throw new Error('the state is not that of the jetton wallet');
  const cell = payload ? Cell.fromBase64(payload) : null;
  let claim: Claim | null = null;
  if (cell && isClaim(cell)) {
    const root = await askContract(client, seqno, master, 'get_mintless_airdrop_hashmap_root', [], stack =>
      stack.readBigNumber(),
    );
    claim = claimOf(cell, owner, root.value);
  }
  return { customPayload: payload ?? null, stateInit: init ?? null, claim };
}

/**
 * Whether the hash of a state is the address of the contract: but for its first bits where the state says how many of them
 * are free.
 */
function isStateOf(cell: Cell, address: string): boolean {
  const { hash } = Address.parseRaw(address);
  const init = loadStateInit(cell.beginParse());
  const free = init.splitDepth ?? 0;
  const bits = (buffer: Buffer): string =>
    BigInt(`0x${buffer.toString('hex')}`)
      .toString(2)
      .padStart(256, '0');
  return bits(cell.hash()).slice(free) === bits(hash).slice(free);
}

const isClaim = (cell: Cell): boolean =>
  cell.bits.length >= 32 && cell.beginParse().preloadUint(32) === CLAIM;

/** `_ amount:Coins start_from:uint48 expired_at:uint48 = AirdropItem` of TEP-177. */
const ITEM: DictionaryValue<Claim> = {
  serialize(): never {
    throw new Error('proofs are only read');
  },
  parse: slice => ({
    amount: String(slice.loadCoins()),
    startFrom: slice.loadUint(48),
    expiresAt: slice.loadUint(48),
  }),
};

/**
 * What a claim mints for an owner, from its Merkle proof. The cell library has compared the hash in the proof with that of what
 * it proves. @throws Error for a proof of another tree, or of another owner
 */
function claimOf(payload: Cell, owner: string, root: bigint | null): Claim {
  if (!isSmallTree(payload)) throw new Error('the proof has more entries than can be read');
  const proof = payload.beginParse().skip(32).loadRef().beginParse(true);
  if (proof.loadUint(8) !== MERKLE_PROOF) throw new Error('the claim has no Merkle proof');
  if (root === null || proof.loadUintBig(256) !== root) throw new Error('the proof is of another tree');
  const airdrop = Dictionary.loadDirect(Dictionary.Keys.Address(), ITEM, proof.loadRef());
  const item = airdrop.get(Address.parseRaw(owner));
  if (!item) throw new Error('the proof is of another owner');
  return item;
}
