import { join } from 'node:path';
import type { Json } from '../../contracts/json/json';
import { evidenceIn } from '../../infra/verifier/evidence';
import { hashEvents } from '../../infra/verifier/hash-events';
import { verifyReport } from '../../infra/verifier/verify-report';
import type { TestInstance } from '../billing/instance';
import { temporaryFolder } from '../temporary-folder';
import { exportedLines, writeLines } from './exported-ledger';

/** Asks for a report with a proof, and verifies it with an export of the ledger. @throws VerificationFailed */
export async function verifyServed(instance: TestInstance, request: object): Promise<void> {
  const folder = temporaryFolder();
  const { body } = await instance.act({ ...request, proof: true });
  await verifyReport({
    file: writeLines(join(folder, 'export.ndjson'), await exportedLines(instance.store)),
    evidence: evidenceIn(body as Json)!,
    keys: null,
    checkpoints: [],
    hash: hashEvents,
  });
}
