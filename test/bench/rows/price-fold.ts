import { PRICES_TOPIC, type PriceRecord } from '../../../contracts/chain/prices';
import type { Document } from '../../../contracts/ports/documents';
import type { LogMessage } from '../../../contracts/ports/log';
import { pricesProjection } from '../../../projections/rates/prices';
import { figure, paired } from '../figure';
import { coinQuotes } from '../fill/prices';
import { interleave, rate } from '../interleave';
import type { Row } from '../row';

/** Messages that the engine folds at once. */
const BATCH = 1_000;

/** Quotes into prices with their history, in the batches of the engine; the floor only parses them. */
export const row: Row = async ({ sized, say }) => {
  const count = sized({ full: 1_000_000, quick: 100_000, smallest: 2_000 });
  say(`${count} quotes`);
  let offset = 0;
  const messages: LogMessage[] = [];
  for (const { key, value } of coinQuotes(count))
    messages.push({
      topic: PRICES_TOPIC.name,
      partition: 0,
      offset: offset++,
      timestamp: 0,
      headers: {},
      key,
      value,
    });

  const fold = (): void => {
    const documents = new Map<string, Document | null>();
    for (let from = 0; from < messages.length; from += BATCH) {
      const byAsset = new Map<string, LogMessage[]>();
      for (const message of messages.slice(from, from + BATCH)) {
        const inputs = byAsset.get(message.key) ?? [];
        inputs.push(message);
        byAsset.set(message.key, inputs);
      }
      for (const [id, inputs] of byAsset)
        documents.set(
          id,
          pricesProjection.foldAll!(documents.get(id) ?? null, inputs, { collection: 'prices', id }),
        );
    }
    if (documents.size !== 4) throw new Error(`${documents.size} assets have a price`);
  };
  const { ours, floor } = await interleave(sized({ full: 3, quick: 1, smallest: 1 }), {
    ours: () => rate(count, fold),
    floor: () =>
      rate(count, () => messages.forEach(({ value }) => JSON.parse(value.toString()) as PriceRecord)),
  });
  return [
    figure({ what: 'prices folded: to JSON.parse', unit: 'quotes/s' }, paired(ours, floor), {
      of: 'value',
      atLeast: 100_000,
    }),
  ];
};
