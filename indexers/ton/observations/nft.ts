import { Address, type Cell, type TupleReader } from '@ton/core';
import {
  nftCollectionObserved,
  nftObserved,
  type NftOwnerSubject,
} from '../../../contracts/chain/ton-nft-observations';
import { defineObservation } from '../../../contracts/observation/observation';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { tokenContentOf, UNREADABLE_CONTENT } from '../decode/token-content';
import { askContract } from '../get-method';
import { readNftItem, type NftItem } from '../nft-items';
import { contractSubject, TON_SOURCE } from './source';

/** The collection of TON DNS on mainnet. */
export const TON_DNS = Address.parse('EQC3dNlesgVD8YbAazcauIrXBPfiVhMMr5YYk2in0Mtsz0Bz').toRawString();

const DOMAIN = /^[a-z0-9-]{1,126}$/;

/**
 * An item of an owner, as it and its collection say: whether it is theirs, and its content. The owner comes first in the id, so
 * that the items of an owner are one part of the collection of documents.
 */
export const nftObservation = defineObservation({
  kind: 'ton.nft.owned',
  subject: {
    format: ({ network, owner, item }: NftOwnerSubject) =>
      `${contractSubject.format({ network, address: owner })}/${item}`,
    parse(text): NftOwnerSubject {
      const [account = '', item] = text.split('/');
      if (!item) throw new Error(`not an item of an owner: ${text}`);
      const { network, address: owner } = contractSubject.parse(account);
      return { network, owner, item };
    },
  },
  schema: nftObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 60_000,
  ages: true,
  async read(clients, { network, owner, item: address }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const item = await readNftItem(client, height, address);
    if (!item?.isInitialized || item.owner !== owner) return { height, data: null };
    const { index, collection } = item;
    const isDomain = network === 'mainnet' && collection === TON_DNS;
    const [content, domain] = await Promise.all([
      nftContentOf(client, height, item),
      isDomain ? domainOf(client, height, address) : null,
    ]);
    return {
      height,
      data: {
        index: index.toString(),
        collection,
        content: content ? tokenContentOf(content) : UNREADABLE_CONTENT,
        domain,
      },
    };
  },
});

/** A collection of items and what its content cell says (TEP-62, TEP-64). */
export const nftCollectionObservation = defineObservation({
  kind: 'ton.nft.collection',
  subject: contractSubject,
  schema: nftCollectionObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 600_000,
  ages: true,
  async read(clients, { network, address }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    // `(int next_item_index, cell collection_content, slice owner_address)`
    const { value } = await askContract(client, height, address, 'get_collection_data', [], stack => {
      stack.skip(1);
      return tokenContentOf(stack.readCell());
    });
    return { height, data: value && { content: value } };
  },
});

/** The whole content of an item of a collection is what the collection makes of the item's part. */
export async function nftContentOf(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  { collection, index, individualContent: cell }: NftItem,
): Promise<Cell | null> {
  if (collection === null || cell === null) return cell;
  const args = [{ type: 'int', value: index } as const, { type: 'cell', cell } as const];
  const asked = await askContract(client, seqno, collection, 'get_nft_content', args, readCell);
  return asked.value;
}

const readCell = (stack: TupleReader): Cell => stack.readCell();

/** `slice get_domain()` of an item of TON DNS. */
async function domainOf(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  item: string,
): Promise<string | null> {
  const { value } = await askContract(client, seqno, item, 'get_domain', [], stack => {
    const domain = stack.readCell().beginParse();
    return domain.loadBuffer(domain.remainingBits / 8).toString('latin1');
  });
  return value !== null && DOMAIN.test(value) ? value : null;
}
