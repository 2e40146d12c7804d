import { createHash } from 'node:crypto';
import {
  Address,
  Cell,
  type CurrencyCollection,
  Dictionary,
  beginCell,
  loadShardAccount,
  storeShardAccount,
} from '@ton/core';
import { createShardAccount } from '@ton/sandbox/dist/blockchain/SmartContract';
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1';
import { TON_GLOBAL_IDS, type TonNetwork } from '../../../../contracts/network/network';
import { ed25519Key } from '../../ed25519';
import { ELECTOR_CODE } from '../elections/code';
import { ELECTOR_ADDRESS, ELECTOR_BALANCE, newElector } from '../elections/elector';
import { electionSchedule } from '../elections/schedule';
import { stakingContracts } from '../staking/staking-contracts';
import { usdeContracts } from '../usde/local-usde';
import { type Block, hashesWithoutCells, zeroStateHash } from './block';
import type { Ledger, PlacedAccount } from './ledger';
import type { PlacedContract } from './placed-contract';
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

/** An extra currency of the local networks, initially in the faucet; 10^15 of its smallest unit. */
export const EXTRA_CURRENCY = 100;
const EXTRA_SUPPLY = 10n ** 15n;

const SUPPLY = 5_000_000_000n * 1_000_000_000n;

/** All nanotons of a new network, initially in the faucet, but for those of the elector and of other contracts. */
export const GLOBAL_BALANCE = SUPPLY.toString();

const faucetSeed = createHash('sha256').update('tidemark local faucet').digest();

/** The faucet's key is public: the coins have no value. */
export const FAUCET_KEY = ed25519Key(faucetSeed);

export function faucetWallet(network: TonNetwork): WalletContractV5R1 {
  return WalletContractV5R1.create({
    publicKey: FAUCET_KEY.publicKey,
    walletId: { networkGlobalId: TON_GLOBAL_IDS[network] },
  });
}

function active(address: Address, { coins, other }: CurrencyCollection, code: Cell, data: Cell): string {
  const created = createShardAccount({ address, balance: coins, code, data });
  const { account } = created;
  const balance = { coins, other };
  const placed = { ...created, account: { ...account!, storage: { ...account!.storage, balance } } };
  return beginCell().store(storeShardAccount(placed)).endCell().toBoc().toString('base64');
}

/** @throws for an invalid address or cell */
function genesisAccount({ address, balance, code, data }: GenesisAccount): PlacedAccount {
  const at = Address.parse(address);
  return [
    at.toRawString(),
    active(at, { coins: BigInt(balance) }, Cell.fromBase64(code), Cell.fromBase64(data)),
  ];
}

/** The faucet's account before its first transaction. */
function faucetAccount(network: TonNetwork, placed: readonly PlacedContract[]): PlacedAccount {
  const { address, init } = faucetWallet(network);
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  other.set(EXTRA_CURRENCY, EXTRA_SUPPLY);
  const coins = placed.reduce((rest, { balance }) => rest - balance, SUPPLY - ELECTOR_BALANCE);
  return [address.toRawString(), active(address, { coins, other }, init.code, init.data)];
}

function electorAccount(zeroTime: number): PlacedAccount {
  const { code, data } = newElector(electionSchedule(zeroTime), zeroTime);
  return [ELECTOR_ADDRESS, active(Address.parseRaw(ELECTOR_ADDRESS), { coins: ELECTOR_BALANCE }, code, data)];
}

const zeroState = (network: TonNetwork, utime: number): Block => ({
  seqno: 0,
  utime,
  endLt: 0,
  ...hashesWithoutCells(zeroStateHash(network, utime)),
  branch: null,
  shards: [{ shard: WHOLE, seqno: 0 }],
});

/** Those that do not exist. */
function missingContracts(ledger: Ledger, contracts: readonly PlacedContract[]): PlacedAccount[] {
  const { seqno } = ledger.tip()!;
  return contracts
    .filter(({ address }) => !ledger.account(address.toRawString(), seqno))
    .map(({ address, balance, init }) => [
      address.toRawString(),
      active(address, { coins: balance }, init.code, init.data),
    ]);
}

/** A network that was created by an earlier version has that version's elector, whose data the present code reads. */
function upgradeElector(ledger: Ledger): void {
  const stored = ledger.account(ELECTOR_ADDRESS, ledger.tip()!.seqno)!;
  const elector = loadShardAccount(Cell.fromBoc(stored)[0]!.beginParse());
  const { storage } = elector.account!;
  if (storage.state.type !== 'active' || storage.state.state.code?.equals(ELECTOR_CODE)) return;
  const state = { ...storage.state, state: { ...storage.state.state, code: ELECTOR_CODE } };
  const upgraded = { ...elector, account: { ...elector.account!, storage: { ...storage, state } } };
  const boc = beginCell().store(storeShardAccount(upgraded)).endCell().toBoc();
  ledger.replace([ELECTOR_ADDRESS, boc.toString('base64')]);
}

/** Stores the zero state if there is none, and creates missing accounts. */
export function createGenesis(
  ledger: Ledger,
  network: TonNetwork,
  accounts: readonly GenesisAccount[],
  utime: number,
): Block {
  const placed = [...stakingContracts(network), ...usdeContracts(network)];
  if (ledger.tip()) {
    upgradeElector(ledger);
  } else {
    const first = new Map([faucetAccount(network, placed), electorAccount(utime)]);
    ledger.append(zeroState(network, utime), { transactions: [], accounts: first, queue: [] });
  }
  ledger.place([...accounts.map(genesisAccount), ...missingContracts(ledger, placed)]);
  return ledger.block(0)!;
}
