import type { JettonCode } from '../../../../contracts/events/gasless-jetton';
import { Problem } from '../../../../contracts/problem/problem';
import type { PublicWeb } from '../../../../contracts/ports/public-web';
import type { TonClient } from '../../../../contracts/ports/ton-client';
import { readJettonCode } from '../../../../indexers/ton/jetton-code';
import { readJettonMaster } from '../../../../indexers/ton/observations/jetton-master';
import { readDocument } from '../../../../indexers/ton/observations/token-document';
import { documentIn } from '../../../../indexers/token-attributes';

const MAX_DECIMALS = 18;

interface Reading {
  readonly client: Pick<TonClient, 'getLastBlock' | 'getAccount' | 'runMethod'>;
  readonly web: PublicWeb;
  readonly signal: AbortSignal;
}

/**
 * The decimals and the code of a jetton (a raw master), from the chain, and from the document that it names.
 * @param given decimals, which it may not contradict
 * @throws Problem where there is no jetton, or its decimals are unknown, others than those, or too many
 */
export async function jettonToList(
  { client, web, signal }: Reading,
  master: string,
  given: number | undefined,
): Promise<{ readonly decimals: number; readonly code: JettonCode }> {
  const { seqno } = await client.getLastBlock();
  const [state, code] = [
    await readJettonMaster(client, seqno, master),
    await readJettonCode(client, seqno, master),
  ];
  if (!state || !code)
    throw new Problem('gasless_jetton_unknown', 'There is no jetton master at this address.');
  const { uri, attributes } = state.content;
  const said = attributes.decimals ?? (uri === null ? null : await decimalsInDocument(web, uri, signal));
  const decimals = given ?? said;
  if (decimals === null)
    throw new Problem('gasless_jetton_decimals', 'The jetton does not say its decimals: give --decimals.');
  if (said !== null && said !== decimals)
    throw new Problem('gasless_jetton_decimals', `The jetton says that it has ${said} decimals.`);
  if (decimals > MAX_DECIMALS)
    throw new Problem(
      'gasless_jetton_decimals',
      `A jetton with more than ${MAX_DECIMALS} decimals cannot pay.`,
    );
  return { decimals, code };
}

/** Null also where it cannot be read. */
async function decimalsInDocument(web: PublicWeb, uri: string, signal: AbortSignal): Promise<number | null> {
  const document = await readDocument(web, uri, signal).catch(() => null);
  return documentIn(document)?.decimals ?? null;
}
