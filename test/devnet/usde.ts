import { type Address, Cell } from '@ton/core';
import { Blockchain, createShardAccount, internal } from '@ton/sandbox';
import { JettonWallet } from '@ton/ton';
import { chainConfig } from '../../infra/devnet/ton/chain/config';
import { electionSchedule } from '../../infra/devnet/ton/elections/schedule';
import { jettonTransferBody, jettonWalletAddress } from '../../infra/devnet/ton/jetton/jetton';
import { localUsde, usdeContracts } from '../../infra/devnet/ton/usde/local-usde';
import {
  USDE_VALUE,
  claimBody,
  stakeBody,
  stakedWalletAddress,
  unstakeBody,
} from '../../infra/devnet/ton/usde/usde';
import { StakedUsdeWallet, UsdeVault } from '../../infra/devnet/ton/usde/usde-contracts';

/** Unix seconds. */
export const ZERO_TIME = 1_750_000_000;

/** One virtual machine for all networks of a file, and the state of a new one. */
let opened: ReturnType<typeof open> | undefined;

async function open() {
  const chain = await Blockchain.create();
  chain.now = ZERO_TIME;
  chain.setConfig(Cell.fromBase64(chainConfig('mainnet', electionSchedule(ZERO_TIME)).at(ZERO_TIME).boc));
  for (const { address, balance, init } of usdeContracts('mainnet'))
    await chain.setShardAccount(address, createShardAccount({ address, ...init, balance }));
  return { chain, initial: chain.snapshot() };
}

/** The contracts of USDe as a new local network has them, on the real virtual machine. Messages reach everyone. */
export async function usdeOnTvm() {
  const { chain, initial } = await (opened ??= open());
  await chain.loadFrom(initial);
  const { usde, stakedUsde, vault, issuer } = localUsde('mainnet');

  const usdeWallet = (owner: Address): Address => jettonWalletAddress(usde, owner);
  const stakedWallet = (owner: Address): Address => stakedWalletAddress(stakedUsde, owner);

  /** Balance of a jetton wallet; 0 where there is none. */
  async function balanceOf(wallet: Address): Promise<bigint> {
    return chain.openContract(JettonWallet.create(wallet)).getBalance();
  }

  /** The exit codes of the transactions that follow from a message, in their order. */
  async function send(from: Address, to: Address, body: Cell, value = USDE_VALUE): Promise<number[]> {
    const { transactions } = await chain.sendMessage(internal({ from, to, value, body }));
    return transactions.flatMap(({ description }) =>
      description.type === 'generic' && description.computePhase.type === 'vm'
        ? [description.computePhase.exitCode]
        : [],
    );
  }

  return {
    addresses: { usde, stakedUsde, vault, issuer },
    usdeWallet,
    stakedWallet,
    vault: chain.openContract(new UsdeVault(vault)),
    send,
    pass: (seconds: number): void => void (chain.now = chain.now! + seconds),
    now: (): number => chain.now!,
    /** Nanotons. */
    coinsOf: async (owner: Address) => (await chain.getContract(owner)).balance,
    usdeOf: (owner: Address) => balanceOf(usdeWallet(owner)),
    sharesOf: (owner: Address) => balanceOf(stakedWallet(owner)),
    timelockOf: (owner: Address) =>
      chain.openContract(new StakedUsdeWallet(stakedWallet(owner))).getTimelock(),
    give: (to: Address, amount: bigint) =>
      send(
        issuer,
        usdeWallet(issuer),
        jettonTransferBody({ to, amount, response: issuer, forwardValue: 0n }),
      ),
    stake: (owner: Address, amount: bigint, value?: bigint) =>
      send(owner, usdeWallet(owner), stakeBody({ to: vault, amount, response: owner }), value),
    unstake: (owner: Address, amount: bigint, value?: bigint) =>
      send(owner, stakedWallet(owner), unstakeBody({ to: stakedUsde, amount, response: owner }), value),
    claim: (owner: Address, amount: bigint, value?: bigint) =>
      send(owner, stakedWallet(owner), claimBody({ to: stakedUsde, amount, response: owner }), value),
  };
}

export type UsdeOnTvm = Awaited<ReturnType<typeof usdeOnTvm>>;
