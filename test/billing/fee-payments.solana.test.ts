import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import { Keypair, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { memo } from '../../infra/devnet/solana/traffic/send';
import { solanaTransactions } from '../../projections/solana/transactions/queries';
import { startLocalNetwork, type LocalNetwork } from '../solana/local-network';
import { startProgram, type Program } from '../solana/program';
import { until } from '../until';
import { deliverAgain, feePaymentFeatures, feePaymentsOf, type FeePayments } from './fee-payments';
import '../starts-programs';

const receiver = Keypair.generate().publicKey;
const address = receiver.toBase58();
const DECIMALS = 6;

let spl: typeof Spl;
let network: LocalNetwork;
let program: Program;
let alice: Keypair;
let dollar: Keypair;
/** Of the same mint authority and decimals, but another mint. */
let lookAlike: Keypair;
let fees: FeePayments;

beforeAll(async () => {
  spl = await import('@solana/spl-token');
  network = await startLocalNetwork({ slotMs: 50, finalizedAfter: 20 });
  alice = await network.rich();
  [dollar, lookAlike] = [await mint(), await mint()];
  const common = { chain: 'solana', network: 'mainnet', address };
  const methods = [
    { ...common, asset: 'native' },
    { ...common, asset: dollar.publicKey.toBase58(), decimals: DECIMALS },
  ];
  program = await startProgram(network, feePaymentFeatures(methods));
  fees = await feePaymentsOf(program.deps);
  // Indexed live from here on.
  await until(async () => {
    await program.post('/solana/transactions/mainnet', { address });
    return (await solanaTransactions(program.views).history('mainnet', address)) !== null;
  });
});
afterAll(async () => {
  await program?.stop();
  await network?.close();
});

async function mint(): Promise<Keypair> {
  const key = Keypair.generate();
  const lamports = await network.connection.getMinimumBalanceForRentExemption(spl.MINT_SIZE);
  const accountOf = (owner: typeof receiver) => spl.getAssociatedTokenAddressSync(key.publicKey, owner, true);
  const open = (owner: typeof receiver) =>
    spl.createAssociatedTokenAccountInstruction(alice.publicKey, accountOf(owner), owner, key.publicKey);
  await network.send(
    [
      SystemProgram.createAccount({
        fromPubkey: alice.publicKey,
        newAccountPubkey: key.publicKey,
        space: spl.MINT_SIZE,
        lamports,
        programId: spl.TOKEN_PROGRAM_ID,
      }),
      spl.createInitializeMint2Instruction(key.publicKey, DECIMALS, alice.publicKey, null),
      open(alice.publicKey),
      open(receiver),
      spl.createMintToInstruction(key.publicKey, accountOf(alice.publicKey), alice.publicKey, 1_000_000_000n),
    ],
    [alice, key],
  );
  return key;
}

const send = (...instructions: TransactionInstruction[]) => network.send(instructions, [alice]);
const lamports = (amount: number) =>
  SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: receiver, lamports: amount });
const tokens = ({ publicKey }: Keypair, amount: bigint) =>
  spl.createTransferInstruction(
    spl.getAssociatedTokenAddressSync(publicKey, alice.publicKey),
    spl.getAssociatedTokenAddressSync(publicKey, receiver, true),
    alice.publicKey,
    amount,
  );

it('SOL with the id of a fee as memo collects it when its block is final, exact to the lamport', async () => {
  await fees.owe('sol-1', '0.500000001');
  await send(lamports(500_000_000), memo('sol-1'));
  expect(await fees.next()).toBe('amount_too_small');
  expect(await fees.status('sol-1')).toBe('pending');
  await send(lamports(250_000_000), memo('sol-1'), lamports(250_000_001));
  expect(await fees.next()).toBe('collected');
  expect(await fees.status('sol-1')).toBe('collected');
});

it('tokens of the accepted mint collect, others do not', async () => {
  await fees.owe('spl-1', '12.50');
  await send(tokens(lookAlike, 12_500_000n), memo('spl-1'));
  expect(await fees.next()).toBe('wrong_asset');
  await send(tokens(dollar, 12_499_999n), memo('spl-1'));
  expect(await fees.next()).toBe('amount_too_small');
  await send(tokens(dollar, 12_500_000n), memo('spl-1'));
  expect(await fees.next()).toBe('collected');
});

it('a payment with the memos of two fees, or in a failed transaction, collects nothing', async () => {
  await fees.owe('sol-2', '0.1');
  await fees.owe('sol-3', '0.1');
  await send(lamports(100_000_000), memo('sol-2'), memo('sol-3'));
  await send(lamports(100_000_000), memo('sol-2'), lamports(900_000_000_000));
  await send(lamports(100_000_000), memo('sol-3'));
  expect(await fees.next()).toBe('collected');
  expect([await fees.status('sol-2'), await fees.status('sol-3')]).toEqual(['pending', 'collected']);
});

it('a payment in an abandoned block collects nothing', async () => {
  /** Retried when the block was final before it could be abandoned, on a busy machine. */
  const payAndFork = async (): Promise<string> => {
    for (let tries = 1; tries <= 10; tries++) {
      const fee = `sol-lost-${tries}`;
      await fees.owe(fee, '0.2');
      const paid = await send(lamports(200_000_000), memo(fee));
      await until(async () => {
        const seen = await solanaTransactions(program.views).inclusion('mainnet', address, paid);
        return seen !== null;
      });
      const { droppedSignatures } = await network.devnet.hooks.fork({ blocks: 15 });
      if (droppedSignatures.includes(paid)) return fee;
      expect(await fees.next()).toBe('collected');
    }
    throw new Error('no block could be abandoned in time');
  };
  const lost = await payAndFork();
  const settled = fees.outcomes.length;
  await fees.owe('sol-after', '0.1');
  await send(lamports(100_000_000), memo('sol-after'));
  expect(await fees.next()).toBe('collected');
  expect(fees.outcomes).toHaveLength(settled + 1);
  expect(await fees.status(lost)).toBe('pending');
});

it('a repeated delivery changes nothing', async () => {
  const settled = fees.outcomes.length;
  expect(await deliverAgain(program.deps)).toBeGreaterThanOrEqual(settled);
  await until(() => fees.outcomes.length === 2 * settled);
  expect(fees.outcomes.slice(settled)).not.toContain('collected');
});

it('SOL that arrives before its fee is recorded collects it afterwards', async () => {
  const settled = fees.outcomes.length;
  await send(lamports(300_000_000), memo('sol-early'));
  await until(() => fees.outcomes.length === settled + 1);
  expect(fees.outcomes[settled]).toBe('fee_not_found');
  await fees.owe('sol-early', '0.3');
  await until(() => fees.outcomes.length === settled + 2);
  expect(fees.outcomes[settled + 1]).toBe('collected');
  expect(await fees.status('sol-early')).toBe('collected');
});
