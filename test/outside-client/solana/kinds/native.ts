import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import { type Chain, lamportLine } from '../chain';
import type { Parties } from '../parties';

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

export function memo(text: string | Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(text) });
}

const pay = (from: Keypair, to: PublicKey, lamports: number): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

/** Above what an account needs to exist without data. */
const MIN_LAMPORTS = 1_000_000;

export async function nativeTransfer(chain: Chain, { alice, bob }: Parties): Promise<void> {
  const lamports = MIN_LAMPORTS + chain.amount();
  await chain.send(
    'a transfer of SOL',
    {
      type: 'TRANSFER',
      source: 'SYSTEM_PROGRAM',
      tokens: [],
      lamports: [lamportLine(alice.publicKey, bob.publicKey, lamports)],
    },
    [pay(alice, bob.publicKey, lamports)],
    [alice],
  );
}

export async function transferWithMemo(chain: Chain, { alice, bob }: Parties): Promise<void> {
  const lamports = MIN_LAMPORTS + chain.amount();
  await chain.send(
    'a transfer with a memo',
    { type: 'TRANSFER', tokens: [], lamports: [lamportLine(bob.publicKey, alice.publicKey, lamports)] },
    [pay(bob, alice.publicKey, lamports), memo(`Coffee ☕ ${lamports}`)],
    [bob],
  );
}

export async function transferToNewAddress(chain: Chain, { alice }: Parties): Promise<void> {
  const to = Keypair.generate().publicKey;
  const lamports = MIN_LAMPORTS + chain.amount();
  await chain.send(
    'a transfer to an address that was never seen',
    { type: 'TRANSFER', tokens: [], lamports: [lamportLine(alice.publicKey, to, lamports)] },
    [pay(alice, to, lamports)],
    [alice],
  );
}

export async function transferToOneself(chain: Chain, { bob }: Parties): Promise<void> {
  const lamports = chain.amount();
  await chain.send(
    'a transfer to oneself',
    { type: 'TRANSFER', tokens: [], lamports: [lamportLine(bob.publicKey, bob.publicKey, lamports)] },
    [pay(bob, bob.publicKey, lamports)],
    [bob],
  );
}

export async function failedTransfer(chain: Chain, { alice, bob }: Parties): Promise<void> {
  await chain.send(
    'a transfer of more than there is',
    { type: 'UNKNOWN', tokens: [], lamports: [] },
    [pay(alice, bob.publicKey, MIN_LAMPORTS), pay(alice, bob.publicKey, 1e15 + chain.amount())],
    [alice],
    { fails: true },
  );
}

export async function failedProgram(chain: Chain, { alice, bob }: Parties): Promise<void> {
  await chain.send(
    'a transfer beside a program that fails',
    { type: 'UNKNOWN', tokens: [], lamports: [] },
    [pay(bob, alice.publicKey, MIN_LAMPORTS + chain.amount()), memo(Buffer.of(0xff, 0xfe))],
    [bob],
    { fails: true },
  );
}

export async function severalInstructions(chain: Chain, { alice, bob }: Parties): Promise<void> {
  const stranger = Keypair.generate().publicKey;
  const [first, second] = [MIN_LAMPORTS + chain.amount(), MIN_LAMPORTS + chain.amount()];
  await chain.send(
    'several transfers, there and back',
    {
      type: 'TRANSFER',
      tokens: [],
      lamports: [
        lamportLine(alice.publicKey, bob.publicKey, first),
        lamportLine(alice.publicKey, stranger, second),
        lamportLine(bob.publicKey, alice.publicKey, 7),
      ],
    },
    [pay(alice, bob.publicKey, first), pay(alice, stranger, second), pay(bob, alice.publicKey, 7)],
    [alice, bob],
  );
}

export async function versionedTransfer(chain: Chain, { alice, bob, table }: Parties): Promise<void> {
  const lamports = chain.amount();
  await chain.send(
    'a versioned transfer with a lookup table and a priority fee',
    { type: 'TRANSFER', tokens: [], lamports: [lamportLine(alice.publicKey, bob.publicKey, lamports)] },
    [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 + lamports }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 123_457 }),
      pay(alice, bob.publicKey, lamports),
    ],
    [alice],
    { tables: [table] },
  );
}

/** The price without a limit: the default of the units of each instruction counts. */
export async function priorityWithoutLimit(chain: Chain, { bob, alice }: Parties): Promise<void> {
  const lamports = chain.amount();
  await chain.send(
    'a transfer with a priority fee and no limit',
    { type: 'TRANSFER', tokens: [], lamports: [lamportLine(bob.publicKey, alice.publicKey, lamports)] },
    [
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 33_333 }),
      pay(bob, alice.publicKey, lamports),
      memo('hurry'),
    ],
    [bob],
  );
}

/** The program of lookup tables is none that wallets know: only the balances show what it took for rent. */
export async function unknownProgram(chain: Chain, { alice }: Parties): Promise<void> {
  const { publicKey: authority } = alice;
  const [create] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot: await chain.connection.getSlot('finalized'),
  });
  await chain.send(
    'a transfer beside an unknown program',
    { type: 'UNKNOWN', tokens: [] },
    [pay(alice, Keypair.generate().publicKey, MIN_LAMPORTS + chain.amount()), create],
    [alice],
  );
}

/** A signature that a program verifies costs as much as one of the transaction. */
export async function verifiedSignature(chain: Chain, { bob, alice }: Parties): Promise<void> {
  const lamports = MIN_LAMPORTS + chain.amount();
  await chain.send(
    'a transfer beside a verified signature',
    { type: 'UNKNOWN', tokens: [], lamports: [lamportLine(bob.publicKey, alice.publicKey, lamports)] },
    [
      Ed25519Program.createInstructionWithPrivateKey({
        privateKey: alice.secretKey,
        message: Buffer.from('anything'),
      }),
      pay(bob, alice.publicKey, lamports),
    ],
    [bob],
  );
}
