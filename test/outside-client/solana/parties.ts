import {
  AddressLookupTableProgram,
  type AddressLookupTableAccount,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  SystemProgram,
  VoteInit,
  VoteProgram,
} from '@solana/web3.js';
import { until } from '../../until';
import { type Chain, lamportLine, tokenLine, USDC } from './chain';

/** Who the transactions are between, and what they need on the chain. */
export interface Parties {
  readonly alice: Keypair;
  readonly bob: Keypair;
  /** A token account of USDC for each. */
  readonly usdc: { readonly alice: PublicKey; readonly bob: PublicKey };
  /** A token of Token-2022 that withholds a hundredth of every transfer. */
  readonly miles: { readonly mint: PublicKey; readonly alice: PublicKey; readonly bob: PublicKey };
  /** A vote account; alice may withdraw from it. */
  readonly vote: PublicKey;
  /** Votes with it. */
  readonly validator: Keypair;
  /** With the addresses of alice and bob and of their token accounts. */
  readonly table: AddressLookupTableAccount;
}

export const MILES_FEE_DIVISOR = 100n;
const VOTE_ACCOUNT_LAMPORTS = LAMPORTS_PER_SOL;
const MANY = 1_000_000_000n;

export async function createParties(chain: Chain): Promise<Parties> {
  const { spl, connection } = chain;
  const [alice, bob, validator] = await Promise.all([chain.funded(), chain.funded(), chain.funded()]);
  const usdc = {
    alice: chain.tokenAccount(USDC, alice.publicKey),
    bob: chain.tokenAccount(USDC, bob.publicKey),
  };
  await chain.send(
    'two token accounts and a mint',
    { type: 'TOKEN_MINT', tokens: [tokenLine('mint', null, usdc.alice, USDC, MANY)] },
    [
      spl.createAssociatedTokenAccountInstruction(alice.publicKey, usdc.alice, alice.publicKey, USDC),
      spl.createAssociatedTokenAccountInstruction(alice.publicKey, usdc.bob, bob.publicKey, USDC),
      spl.createMintToInstruction(USDC, usdc.alice, chain.faucet.publicKey, MANY),
    ],
    [alice, chain.faucet],
  );
  const miles = await createMiles(chain, alice, bob);
  const vote = await createVoteAccount(chain, alice, validator);

  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    authority: alice.publicKey,
    payer: alice.publicKey,
    recentSlot: await connection.getSlot('finalized'),
  });
  const addresses = [alice.publicKey, bob.publicKey, usdc.alice, usdc.bob, USDC];
  await chain.send(
    'a lookup table, whose program no wallet explains',
    { type: 'UNKNOWN', tokens: [] },
    [
      create,
      AddressLookupTableProgram.extendLookupTable({
        lookupTable,
        authority: alice.publicKey,
        payer: alice.publicKey,
        addresses,
      }),
    ],
    [alice],
  );
  const { value: table } = await until(
    () => connection.getAddressLookupTable(lookupTable),
    ({ value }) => value !== null,
  );
  await chain.laterSlot(table!.state.lastExtendedSlot);
  return { alice, bob, usdc, miles, vote, validator, table: table! };
}

async function createMiles(chain: Chain, alice: Keypair, bob: Keypair): Promise<Parties['miles']> {
  const { spl } = chain;
  const program = spl.TOKEN_2022_PROGRAM_ID;
  const key = Keypair.generate();
  const mint = key.publicKey;
  const [ofAlice, ofBob] = [alice, bob].map(({ publicKey }) =>
    chain.tokenAccount(mint, publicKey, program),
  ) as [PublicKey, PublicKey];
  const space = spl.getMintLen([spl.ExtensionType.TransferFeeConfig]);
  const lamports = await chain.rent(space);
  const [owner, basisPoints] = [alice.publicKey, 10_000 / Number(MILES_FEE_DIVISOR)];
  const account = (address: PublicKey, of: PublicKey) =>
    spl.createAssociatedTokenAccountInstruction(owner, address, of, mint, program);
  await chain.send(
    'a mint of Token-2022 with a transfer fee',
    { type: 'TOKEN_MINT', tokens: [tokenLine('mint', null, ofAlice, mint, MANY)] },
    [
      SystemProgram.createAccount({
        fromPubkey: owner,
        newAccountPubkey: mint,
        space,
        lamports,
        programId: program,
      }),
      spl.createInitializeTransferFeeConfigInstruction(mint, null, owner, basisPoints, MANY, program),
      spl.createInitializeMint2Instruction(mint, 2, owner, null, program),
      account(ofAlice, owner),
      account(ofBob, bob.publicKey),
      spl.createMintToInstruction(mint, ofAlice, owner, MANY, [], program),
    ],
    [alice, key],
  );
  return { mint, alice: ofAlice, bob: ofBob };
}

async function createVoteAccount(chain: Chain, alice: Keypair, validator: Keypair): Promise<PublicKey> {
  const vote = Keypair.generate();
  await chain.send(
    'a vote account',
    {
      type: 'CREATE_ACCOUNT',
      source: 'VOTE_PROGRAM',
      lamports: [lamportLine(alice.publicKey, vote.publicKey, VOTE_ACCOUNT_LAMPORTS)],
    },
    VoteProgram.createAccount({
      fromPubkey: alice.publicKey,
      votePubkey: vote.publicKey,
      voteInit: new VoteInit(validator.publicKey, validator.publicKey, alice.publicKey, 5),
      lamports: VOTE_ACCOUNT_LAMPORTS,
    }).instructions,
    [alice, vote, validator],
  );
  return vote.publicKey;
}

/** The wallets of the parties, as the app asks for their history. */
export function walletsOf({ alice, bob, usdc }: Parties): { owner: string; usdc: string }[] {
  return [
    { owner: alice.publicKey.toBase58(), usdc: usdc.alice.toBase58() },
    { owner: bob.publicKey.toBase58(), usdc: usdc.bob.toBase58() },
  ];
}
