import { beginCell, Cell, TupleReader, type TupleItem } from '@ton/core';
import type { Clients } from '../../../contracts/observation/observation';
import { SiteFailed } from '../../../contracts/observation/site-failed';
import { TooManyWaiting } from '../../../contracts/fair-semaphore';
import { GetMethodFailed } from '../../../contracts/ports/ton-client';
import type { PublicWeb } from '../../../contracts/ports/public-web';
import { offChainContent } from '../../../test/ton/token-content';
import { tokenImage } from './token-image';

const int = (value: bigint): TupleItem => ({ type: 'int', value });
const cell = (value: Cell): TupleItem => ({ type: 'cell', cell: value });
const noOwner: TupleItem = { type: 'slice', cell: beginCell().storeAddress(null).endCell() };

/** A double of a node whose jettons have their documents at these URIs, by their addresses. */
const nodeWith = (uris: Readonly<Record<string, string>>) => ({
  getLastBlock: async () => ({ seqno: 7, now: 0 }),
  async runMethod(_seqno: number, of: string, method: string) {
    if (method !== 'get_jetton_data') throw new GetMethodFailed(method, 11);
    return new TupleReader([int(9n), int(-1n), noOwner, cell(offChainContent(uris[of]!)), cell(Cell.EMPTY)]);
  },
});

describe('images in the documents of tokens', () => {
  it.each([
    ['is down', async () => Promise.reject(new Error('ECONNREFUSED'))],
    ['sends no document', async () => Buffer.from('<html>')],
  ])('of a server that %s are no fault of ours', async (_what, get) => {
    const web: Pick<PublicWeb, 'get'> = { get };
    const clients = { ton: () => nodeWith({ a: 'https://site.example/' }), web } as unknown as Clients;
    const { signal } = new AbortController();
    const read = tokenImage.read(clients, { network: 'mainnet', address: 'a' }, signal, 'caller');
    await expect(read).rejects.toThrow(SiteFailed);
  });

  it('of a server that stalls have a share of the reads, by however many callers: those of another go on', async () => {
    const end = new AbortController();
    const asked: string[] = [];
    const web: Pick<PublicWeb, 'get'> = {
      async get(url) {
        asked.push(url);
        if (url.includes('//stalls.example/'))
          await new Promise((_, reject) =>
            end.signal.addEventListener('abort', () => reject(new Error('ended'))),
          );
        return Buffer.from(JSON.stringify({ name: 'without an image' }));
      },
    };
    const uriOf = (at: number, host: string): string => `https://${host}/${at}.json`;
    const uris = Object.fromEntries(
      Array.from({ length: 17 }, (_, at) => [
        `${at}`,
        uriOf(at, at < 16 ? 'stalls.example' : 'honest.example'),
      ]),
    );
    const clients = { ton: () => nodeWith(uris), web } as unknown as Clients;
    const read = (at: number) =>
      tokenImage.read(clients, { network: 'mainnet', address: `${at}` }, end.signal, `caller ${at}`);
    const stalled = Array.from({ length: 16 }, (_, at) => read(at).catch((error: unknown) => error));
    expect(await read(16)).toEqual({ height: 7, data: null });
    expect(asked.filter(url => url.includes('stalls.example'))).toHaveLength(4);
    end.abort();
    const ended = await Promise.all(stalled);
    expect(ended.filter(error => error instanceof TooManyWaiting)).toHaveLength(12);
  });
});
