import { type Cell, comment, loadTransaction, type Transaction } from '@ton/core';
import { parseTonAddress } from '../../contracts/account/address';
import { provenInMasterchain } from '../../contracts/chain/ton-masterchain-proof';
import { cellOfSmallBag } from '../../contracts/chain/ton-cells';
import { isTransactionAt, provenTonTransaction } from '../../contracts/chain/ton-transaction-proof';
import { anchor, anchorComment, MAX_ANCHOR_BYTES, type Anchor } from '../../contracts/ledger-tree/anchor';
import { TON_GLOBAL_IDS, TON_NETWORKS } from '../../contracts/network/network';
import type { VerifiedAnchor } from './describe-anchor';
import { checkForm, nameOf, readJson } from './evidence';
import { VerificationFailed } from './outcome';

/** Of one bag: some forty are on the way to a transaction, and hashes of all that a file can have would take seconds. */
const MAX_CELLS = 1_024;

const bad = (file: string, fault: string): VerificationFailed =>
  new VerificationFailed('bad_anchor', `${file}: ${fault}`);

/** @param account in either form; undefined for any. @throws VerificationFailed */
export function verifyAnchors(
  files: readonly string[],
  account: string | undefined,
): readonly VerifiedAnchor[] {
  const parsed = account === undefined ? null : parseTonAddress(account);
  if (account !== undefined && !parsed)
    throw new VerificationFailed('unusable', `--anchor-account: ${account} is no address of TON`);
  return files.map(file => verifyAnchor(file, parsed?.raw ?? null));
}

/**
 * Verifies a file that `tidemark anchor export` wrote. The signature of its checkpoint is not verified here, and an export is
 * compared with the checkpoint as with any other.
 * @param account raw; null for any
 * @throws VerificationFailed
 */
export function verifyAnchor(file: string, account: string | null): VerifiedAnchor {
  const form = checkForm(anchor, readJson(file, MAX_ANCHOR_BYTES), file, 'an anchor');
  const { network, checkpoint, transaction: place, proof } = form;
  if (account !== null && place.account !== account)
    throw bad(file, `the transaction is one of ${place.account}, not of ${account}`);
  const cell = provenTransaction(form, file);
  if (cell.hash().toString('hex') !== place.hash)
    throw bad(file, `the transaction is ${cell.hash().toString('hex')}, not ${place.hash}`);
  const transaction = readTransaction(cell);
  if (!transaction) throw bad(file, 'the cells of the transaction are not those of one');
  const wanted = anchorComment(checkpoint);
  if (!sentComment(transaction, place.account, wanted))
    throw bad(
      file,
      `the transaction has sent no message with the comment "${wanted}", the head of ${nameOf(checkpoint)}`,
    );
  return {
    level: proof.level,
    network,
    ...place,
    checkpoint,
    at: new Date(transaction.now * 1_000).toISOString(),
    block: proof.level === 'transaction' ? null : proof.level === 'block' ? proof.block : proof.masterchain,
  };
}

/** The transaction at the place that the file says, proven up to the level that it says. */
function provenTransaction({ network, transaction: { account, lt }, proof }: Anchor, file: string): Cell {
  const place = { account, lt: BigInt(lt) };
  const read = (boc: string, what: string): Cell => {
    const cell = cellOfSmallBag(Buffer.from(boc, 'base64'), MAX_CELLS);
    if (!cell) throw new VerificationFailed('unusable', `${file}: ${what} is no bag of a few cells`);
    return cell;
  };
  if (proof.level === 'transaction') {
    const cell = read(proof.transaction, '/proof/transaction');
    if (!isAt(cell, place)) throw bad(file, `the transaction is not that of ${account} at ${lt}`);
    return cell;
  }
  const { block } = proof;
  const checkNetwork = (what: string, { globalId }: { readonly globalId: number }): void => {
    if (globalId === TON_GLOBAL_IDS[network]) return;
    const other = TON_NETWORKS.find(each => TON_GLOBAL_IDS[each] === globalId);
    throw bad(
      file,
      `${what} is one of ${other ?? `the network with the global id ${globalId}`}, not of ${network}`,
    );
  };
  const rootHash = Buffer.from(block.rootHash, 'hex');
  const merkleProof = read(proof.transactionProof, '/proof/transactionProof');
  const found = provenTonTransaction(merkleProof, rootHash, place);
  if (!found)
    throw bad(file, `no proof that the block ${block.rootHash} has a transaction of ${account} at ${lt}`);
  checkNetwork('the block', found);
  if (found.seqno !== block.seqno)
    throw bad(file, `the block has the seqno ${found.seqno}, not ${block.seqno}`);
  if (proof.level === 'masterchain') {
    const { masterchain } = proof;
    const shown = provenInMasterchain(
      {
        masterchain: read(proof.shardProof, '/proof/shardProof'),
        previous: proof.previousProofs.map((boc, n) => read(boc, `/proof/previousProofs/${n}`)),
      },
      Buffer.from(masterchain.rootHash, 'hex'),
      { account, rootHash },
    );
    if (!shown)
      throw bad(
        file,
        `no proof that the block of the masterchain ${masterchain.rootHash} stands for the block ${block.rootHash}`,
      );
    checkNetwork('the block of the masterchain', shown);
    if (shown.seqno !== masterchain.seqno)
      throw bad(file, `the block of the masterchain has the seqno ${shown.seqno}, not ${masterchain.seqno}`);
  }
  return found.transaction;
}

function isAt(cell: Cell, place: Parameters<typeof isTransactionAt>[1]): boolean {
  try {
    return cell.level() === 0 && isTransactionAt(cell, place);
  } catch {
    return false;
  }
}

function readTransaction(cell: Cell): Transaction | null {
  try {
    return loadTransaction(cell.beginParse());
  } catch {
    return null;
  }
}

/** Bodies are compared, which are the same wherever a message has them. A transaction alone does not name its workchain. */
function sentComment({ outMessages }: Transaction, account: string, text: string): boolean {
  const wanted = comment(text).hash();
  return outMessages
    .values()
    .some(
      ({ info, body }) =>
        info.type === 'internal' && info.src.toRawString() === account && body.hash().equals(wanted),
    );
}
