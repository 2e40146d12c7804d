import type { JettonCode } from '../../../../contracts/events/gasless-jetton';
import type { TonClient } from '../../../../contracts/ports/ton-client';
import { readJettonCode } from '../../../../indexers/ton/jetton-code';
import type { ChangedCode, Relayer } from '../../../../services/gasless/deps';
import { payableJettons } from '../../../../services/gasless/jettons/list';
import type { ListedJetton } from '../../../../services/gasless/jettons/decider';

/** What of a jetton has other code now than when it was listed; null where nothing has. */
export async function changedCode(
  client: Pick<TonClient, 'getAccount' | 'runMethod'>,
  seqno: number,
  { master, code }: Pick<ListedJetton, 'master'> & { readonly code: JettonCode },
): Promise<ChangedCode | null> {
  const found = await readJettonCode(client, seqno, master);
  const of = found?.master !== code.master ? 'master' : found.wallet !== code.wallet ? 'wallet' : null;
  return of && { master, of, listed: code[of], found: found?.[of] ?? null };
}

/** A change that no transfer has shown is found after so long. */
const LOOK_MS = 60_000;

/** Jettons that pay a relayer and have other code than when they were listed; each change is reported once. */
export function watchJettonCodes(relayer: Relayer, now: () => number): () => Promise<readonly ChangedCode[]> {
  let last: { readonly until: number; readonly found: Promise<readonly ChangedCode[]> } | null = null;
  async function look(): Promise<readonly ChangedCode[]> {
    const { seqno } = await relayer.client.getLastBlock();
    const found: ChangedCode[] = [];
    for (const jetton of await payableJettons(relayer)) {
      const code = await relayer.codeOf(jetton);
      const change = code && (await changedCode(relayer.client, seqno, { ...jetton, code }));
      if (change) found.push(change);
    }
    found.forEach(relayer.reportChange);
    return found;
  }
  return () => {
    if (last && now() < last.until) return last.found;
    // While no node answers, what was found before stays.
    const before = last?.found ?? Promise.resolve([]);
    last = { until: now() + LOOK_MS, found: look().catch(() => before) };
    return last.found;
  };
}
