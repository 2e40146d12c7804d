import {
  Authorized,
  Keypair,
  LAMPORTS_PER_SOL,
  StakeProgram,
  TransactionInstruction,
  VoteProgram,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { type Chain, lamportLine } from '../chain';
import type { Parties } from '../parties';

/** Creates, delegates, deactivates and empties a stake. */
export async function stakeAndWithdraw(chain: Chain, { alice, vote }: Parties): Promise<void> {
  const stake = Keypair.generate();
  const { publicKey: authorizedPubkey } = alice;
  const stakePubkey = stake.publicKey;
  const source = 'STAKE_PROGRAM';
  const lamports = 2 * LAMPORTS_PER_SOL + chain.amount();
  await chain.send(
    'the creation of a stake',
    {
      type: 'INIT_STAKE',
      source,
      tokens: [],
      lamports: [lamportLine(authorizedPubkey, stakePubkey, lamports)],
    },
    StakeProgram.createAccount({
      fromPubkey: authorizedPubkey,
      stakePubkey,
      authorized: new Authorized(authorizedPubkey, authorizedPubkey),
      lamports,
    }).instructions,
    [alice, stake],
  );
  await chain.send(
    'the delegation of a stake',
    { type: 'STAKE_SOL', source, tokens: [], lamports: [] },
    StakeProgram.delegate({ stakePubkey, authorizedPubkey, votePubkey: vote }).instructions,
    [alice],
  );
  await chain.send(
    'the deactivation of a stake',
    { type: 'UNSTAKE_SOL', source, tokens: [], lamports: [] },
    StakeProgram.deactivate({ stakePubkey, authorizedPubkey }).instructions,
    [alice],
  );
  await chain.send(
    'the withdrawal of a whole stake',
    {
      type: 'WITHDRAW',
      source,
      tokens: [],
      lamports: [lamportLine(stakePubkey, authorizedPubkey, lamports)],
    },
    StakeProgram.withdraw({ stakePubkey, authorizedPubkey, toPubkey: authorizedPubkey, lamports })
      .instructions,
    [alice],
  );
}

export async function withdrawFromVoteAccount(chain: Chain, { alice, bob, vote }: Parties): Promise<void> {
  const lamports = chain.amount();
  await chain.send(
    'a withdrawal from a vote account',
    {
      type: 'WITHDRAW',
      source: 'VOTE_PROGRAM',
      tokens: [],
      lamports: [lamportLine(vote, bob.publicKey, lamports)],
    },
    VoteProgram.withdraw({
      votePubkey: vote,
      authorizedWithdrawerPubkey: alice.publicKey,
      toPubkey: bob.publicKey,
      lamports,
    }).instructions,
    [alice],
  );
}

const TOWER_SYNC = 14;
const NO_ROOT = Buffer.alloc(8, 0xff);

/** The variable length of serde's `short_vec` and `serde_varint`: seven bits a byte, the lowest first. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 0x7f; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return Buffer.from([...bytes, value]);
}

/** A vote of a validator for the newest confirmed block. Layout: `CompactTowerSync` of the vote interface. */
export async function consensusVote(chain: Chain, { vote, validator }: Parties): Promise<void> {
  const { connection } = chain;
  const config = { commitment: 'confirmed', transactionDetails: 'none', rewards: false } as const;
  const slots = await connection.getBlocks(
    (await connection.getSlot('confirmed')) - 10,
    undefined,
    'confirmed',
  );
  const slot = slots.at(-1)!;
  const { blockhash } = (await connection.getBlock(slot, config))!;
  const data = Buffer.concat([
    Buffer.of(TOWER_SYNC, 0, 0, 0),
    NO_ROOT,
    Buffer.of(1), // one vote
    varint(slot),
    Buffer.of(1), // its confirmations
    Buffer.from(bs58.decode(blockhash)),
    Buffer.of(0), // no timestamp
    Buffer.alloc(32), // the block's id
  ]);
  const keys = [
    { pubkey: vote, isSigner: false, isWritable: true },
    { pubkey: validator.publicKey, isSigner: true, isWritable: false },
  ];
  await chain.send(
    'a vote',
    null,
    [new TransactionInstruction({ programId: VoteProgram.programId, keys, data })],
    [validator],
  );
}
