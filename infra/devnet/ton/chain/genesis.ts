import { createHash } from 'node:crypto';
import { Address, Cell, beginCell, storeShardAccount } from '@ton/core';
import { createShardAccount } from '@ton/sandbox/dist/blockchain/SmartContract';
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1';
import type { TonNetwork } from '../../../../contracts/network';
import { ed25519Key } from '../../ed25519';
import { ELECTOR_ADDRESS, ELECTOR_BALANCE, newElector } from '../elections/elector';
import { electionSchedule } from '../elections/schedule';
import { type Block, zeroStateHash } from './block';
import type { Ledger, PlacedAccount } from './ledger';
import { WHOLE } from './shards';

/** An account that exists from the start, at an address that cannot be deployed to. */
export interface GenesisAccount {
  readonly address: string;
  /** Nanotons, decimal. */
  readonly balance: string;
  /** Bags of cells in base64. */
  readonly code: string;
  readonly data: string;
}

const SUPPLY = 5_000_000_000n * 1_000_000_000n;

/** All nanotons, initially in the faucet, but for the balance of the elector. */
export const GLOBAL_BALANCE = SUPPLY.toString();

const faucetSeed = createHash('sha256').update('tidemark local faucet').digest();

/** The faucet's key is public: the coins have no value. */
export const FAUCET_KEY = ed25519Key(faucetSeed);

export function faucetWallet(network: TonNetwork): WalletContractV5R1 {
  return WalletContractV5R1.create({
    publicKey: FAUCET_KEY.publicKey,
    walletId: { networkGlobalId: network === 'mainnet' ? -239 : -3 },
  });
}

const active = (address: Address, balance: bigint, code: Cell, data: Cell): string =>
  beginCell()
    .store(storeShardAccount(createShardAccount({ address, balance, code, data })))
    .endCell()
    .toBoc()
    .toString('base64');

/** @throws for an invalid address or cell */
function genesisAccount({ address, balance, code, data }: GenesisAccount): PlacedAccount {
  const at = Address.parse(address);
  return [at.toRawString(), active(at, BigInt(balance), Cell.fromBase64(code), Cell.fromBase64(data))];
}

/** The faucet's account before its first transaction. */
function faucetAccount(network: TonNetwork): PlacedAccount {
  const { address, init } = faucetWallet(network);
  return [address.toRawString(), active(address, SUPPLY - ELECTOR_BALANCE, init.code, init.data)];
}

function electorAccount(zeroTime: number): PlacedAccount {
  const { code, data } = newElector(electionSchedule(zeroTime), zeroTime);
  return [ELECTOR_ADDRESS, active(Address.parseRaw(ELECTOR_ADDRESS), ELECTOR_BALANCE, code, data)];
}

const zeroState = (network: TonNetwork, utime: number): Block => ({
  seqno: 0,
  utime,
  endLt: 0,
  rootHash: zeroStateHash(network, utime),
  shards: [{ shard: WHOLE, seqno: 0 }],
});

/** Stores the zero state if there is none, and creates missing accounts. */
export function createGenesis(
  ledger: Ledger,
  network: TonNetwork,
  accounts: readonly GenesisAccount[],
  utime: number,
): Block {
  if (!ledger.tip()) {
    const first = new Map([faucetAccount(network), electorAccount(utime)]);
    ledger.append(zeroState(network, utime), { transactions: [], accounts: first, queue: [] });
  }
  ledger.place(accounts.map(genesisAccount));
  return ledger.block(0)!;
}
