import { join } from 'node:path';
import { readEvidence } from '../../../infra/verifier/evidence';
import { verifyReport } from '../../../infra/verifier/verify-report';

/** Program: verifies a report by an export; reports events a second and peak memory. */
async function main(folder: string, report: string): Promise<void> {
  const began = performance.now();
  const { events } = await verifyReport({
    file: join(folder, 'export.ndjson'),
    evidence: readEvidence(join(folder, `${report}.json`)),
    keys: null,
    checkpoints: [],
  });
  const rate = (events / (performance.now() - began)) * 1_000;
  process.send!({ rate, peak: process.resourceUsage().maxRSS / 1_024 });
  process.disconnect();
}

void main(process.argv[2]!, process.argv[3]!);
