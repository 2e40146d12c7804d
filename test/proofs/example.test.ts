import { join } from 'node:path';
import type { Json } from '../../contracts/json/json';
import { evidenceIn, readKeys } from '../../infra/verifier/evidence';
import { parseIJson } from '../../contracts/json/i-json';
import { verifyAnchors } from '../../infra/verifier/verify-anchor';
import { verifyHistory } from '../../infra/verifier/verify-history';
import { verifyMerchant } from '../../infra/verifier/verify-merchant';
import { hashEvents } from '../../infra/verifier/hash-events';
import { verifyReport } from '../../infra/verifier/verify-report';
import { answers } from './example-files';

/*
 * The example of contracts/ledger-tree/PROOFS.md: a ledger, answers of every kind from it, a merchant's events, and an anchor on a local network, signed
 * with the secret key of RFC 8032, section 7.1, test 1. It never changes: it can be verified for ever.
 */
const FOLDER = join(__dirname, 'example');
const keys = readKeys(join(FOLDER, 'keys.json'));
const file = join(FOLDER, 'export.ndjson');

it.each(answers.map(line => evidenceIn(parseIJson(Buffer.from(line)))!))(
  'is verified: $proof.query',
  async evidence => {
    const { texts, proof } = await verifyReport({ file, evidence, keys, checkpoints: [], hash: hashEvents });
    expect(texts).toEqual({ unproven: [], erased: [] });
    const other = { ...(evidence.body as Record<string, Json>), more: 1 };
    await expect(
      verifyReport({ file, evidence: { proof, body: other }, keys, checkpoints: [], hash: hashEvents }),
    ).rejects.toMatchObject({ outcome: 'wrong_answer' });
  },
);

it('has the events of a merchant', () => {
  const verified = verifyMerchant(join(FOLDER, 'merchant.json'), { keys, checkpoints: [] });
  expect(verified).toMatchObject({ merchantId: 'm-2', billingPeriod: '2026-10', events: 3 });
});

it('has the head of its checkpoint in a transaction, in a block before the one that the masterchain names', async () => {
  const [anchored] = verifyAnchors([join(FOLDER, 'anchor.json')], undefined);
  expect(anchored).toMatchObject({ level: 'masterchain', network: 'testnet', checkpoint: { size: 42 } });
  const checkpoints = [anchored!.checkpoint];
  const history = await verifyHistory({ file, keys, checkpoints, hash: hashEvents });
  expect(history).toMatchObject({ instance: 'local', events: 42, signed: 42 });
});
