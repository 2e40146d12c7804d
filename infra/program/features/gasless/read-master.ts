import { LRUCache } from 'lru-cache';
import { isBehind } from '../../../../contracts/chain/ton-block-age';
import { atMost } from '../../../../contracts/engine/cache-bounds';
import type { PublicWeb } from '../../../../contracts/ports/public-web';
import type { TonClient } from '../../../../contracts/ports/ton-client';
import { readJettonCode } from '../../../../indexers/ton/jetton-code';
import { readJettonMaster } from '../../../../indexers/ton/observations/jetton-master';
import { readDocument } from '../../../../indexers/ton/observations/token-document';
import { documentIn } from '../../../../indexers/token-attributes';
import type { MasterReading } from '../../../../services/gasless/jettons/state';

export interface MasterReader {
  readonly client: Pick<TonClient, 'getLastBlock' | 'getAccount' | 'runMethod'>;
  /** Says the decimals in the document that content names. */
  readonly decimalsAt: (uri: string) => Promise<number | null>;
  readonly clock: () => Date;
}

/** What the nodes say of the account of a master (raw), unless they are behind. @throws where none answers */
export async function readMaster(
  { client, decimalsAt, clock }: MasterReader,
  master: string,
): Promise<MasterReading> {
  const block = await client.getLastBlock();
  if (isBehind(block, clock())) return { state: 'behind' };
  const [account, code, said] = await Promise.all([
    client.getAccount(block.seqno, master),
    readJettonCode(client, block.seqno, master),
    readJettonMaster(client, block.seqno, master),
  ]);
  if (!account.code) return { state: account.status === 'frozen' ? 'frozen' : 'no_contract' };
  if (!code || !said) return { state: 'no_jetton', code: account.code.hash().toString('hex') };
  const { uri, attributes } = said.content;
  const decimals = attributes.decimals ?? (uri === null ? null : await decimalsAt(uri));
  return { state: 'jetton', code, decimals };
}

const HOUR_MS = 3_600_000;
/** Documents that are remembered. */
const MAX_DOCUMENTS = 200;

/** Reads a document once in an hour; null also where it cannot be read, which is tried again. */
export function documentDecimals(web: PublicWeb, signal: AbortSignal): MasterReader['decimalsAt'] {
  const known = new LRUCache<string, { readonly decimals: number | null }>({
    ...atMost(MAX_DOCUMENTS),
    ttl: HOUR_MS,
  });
  return async uri => {
    const document = known.get(uri);
    if (document) return document.decimals;
    try {
      const decimals = documentIn(await readDocument(web, uri, signal))?.decimals ?? null;
      known.set(uri, { decimals });
      return decimals;
    } catch {
      return null;
    }
  };
}
