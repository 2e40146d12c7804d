import { tokenDocumentObserved } from '../../../contracts/chain/ton-token-observations';
import { defineObservation } from '../../../contracts/observation/observation';
import type { PublicWeb } from '../../../contracts/ports/public-web';
import { documentIn } from '../../token-attributes';
import { gatewayUrl, PUBLIC_WEB } from './public-web';
import { readJson } from '../../../contracts/json/read-json';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 5_000;

/** The JSON document at a URI of token content. @throws Error when it cannot be read */
export async function readDocument(web: PublicWeb, uri: string, signal: AbortSignal): Promise<unknown> {
  const bytes = await web.get(gatewayUrl(uri), { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
  return readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/**
 * The document of a token at a URI (TEP-64). A read that fails is an observation too, so that a server that is down is not
 * waited for each time; it takes back nothing that an earlier one has read.
 */
export const tokenDocumentObservation = defineObservation({
  kind: 'token.document',
  // A part of a collection ends at the first `/`.
  subject: { format: (uri: string) => encodeURIComponent(uri), parse: decodeURIComponent },
  schema: tokenDocumentObserved,
  source: PUBLIC_WEB,
  minAgeMs: 10_000,
  staleAfterMs: 600_000,
  ages: true,
  async read({ web }, uri, signal) {
    try {
      return { height: null, data: documentIn(await readDocument(web, uri, signal)) };
    } catch (error) {
      if (signal.aborted) throw error;
      return { height: null, data: null };
    }
  },
  merge: (older, newer) => newer.data ?? older.data,
});
