import { Cell, CellType, type Slice } from '@ton/core';
import { decodeBase64 } from '../../contracts/encoding/base64';
import { rootOfSmallBag } from '../../contracts/chain/ton-cells';
import { CONNECT_COMMANDS, type ConnectCommandSubmitted } from '../../contracts/events/connect-command';
import { verifySafeSign } from '../signing/safe-sign';

export interface SignedJob {
  readonly command: Omit<ConnectCommandSubmitted['data'], 'wallet' | 'isOfFirstWallets' | 'source' | 'at'>;
  /** Of the cell of the job, hex. */
  readonly hash: string;
  /** Whether the key of the session has signed it. */
  readonly isSigned: boolean;
}

/** A payload and the initial state of a contract have room; computing their hashes takes milliseconds. */
const MAX_CELLS = 512;
const MAX_BYTES = 16_384;

/**
 * The command in a bag of cells: 64 bytes of signature, 32 bytes of the session's public key, a reference to the job; the job is
 * 32 bytes of the wallet installation's public key, the second until which it is valid (uint32), the kind (coins), and a
 * reference to the arguments. Null for anything else.
 */
export function parseJob(job: string): SignedJob | null {
  const boc = decodeBase64(job);
  if (!boc || boc.length > MAX_BYTES || !rootOfSmallBag(boc, MAX_CELLS)) return null;
  try {
    const envelope = Cell.fromBoc(boc)[0]!.beginParse();
    const signature = envelope.loadBuffer(64);
    const key = envelope.loadBuffer(32);
    const cell = envelope.loadRef();
    envelope.endParse();
    if (cell.type !== CellType.Ordinary) return null;
    const command = commandIn(cell.beginParse());
    return (
      command && {
        command: { ...command, session: key.toString('base64url'), job },
        hash: cell.hash().toString('hex'),
        isSigned: verifySafeSign(cell, signature, key),
      }
    );
  } catch {
    // It ends early, or has more than that.
    return null;
  }
}

/** @throws Error when it is too short or too long */
function commandIn(job: Slice) {
  const appPublicKey = job.loadBuffer(32).toString('base64url');
  const expiresAt = new Date(job.loadUint(32) * 1_000).toISOString();
  const command = CONNECT_COMMANDS[Number(job.loadCoins())];
  job.loadRef();
  job.endParse();
  return command ? { appPublicKey, expiresAt, command } : null;
}
