import { decodeTonMessage, encodeTonMessage, type TonLogMessage } from '../../../contracts/chain/ton';
import type { NewMessage } from '../../../contracts/ports/log';
import { fillTonHistories } from './ton-history';

const LENGTH = 50;
const MODEL = '3'.repeat(60);

/** Sixty digits that replace the model's, so that each account is distinct and lies on another partition. */
const digitsOf = (account: number): string => account.toString(16).padStart(MODEL.length, 'a');

/**
 * The first messages that the indexer would publish of accounts with fifty transactions each, one
 * transaction of each account in turn, as blocks have them. The accounts have the same transactions at their own
 * addresses.
 */
export async function tonMessages(count: number): Promise<NewMessage[]> {
  const models: NewMessage[] = [];
  await fillTonHistories({ publish: async (_topic, messages) => void models.push(...messages) }, 1, LENGTH);
  const transactions = models
    .slice(0, LENGTH)
    .map(({ key, value }) => ({ key, json: JSON.stringify(decodeTonMessage(value)) }));
  const accounts = Math.ceil(count / LENGTH);
  return Array.from({ length: count }, (_, n) => {
    const { key, json } = transactions[Math.floor(n / accounts)]!;
    const digits = digitsOf(n % accounts);
    const own = (text: string): string => text.replaceAll(MODEL, digits);
    return { key: own(key), value: encodeTonMessage(JSON.parse(own(json)) as TonLogMessage) };
  });
}
