import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { ownerSource, tokenSource, type SolanaHistory } from './solana';

const item = (signature: string, mint?: string): EnhancedTransaction =>
  ({ signature, timestamp: 0, tokenTransfers: mint ? [{ mint }] : [] }) as unknown as EnhancedTransaction;

/** A history that pages as the real one does. */
const historyOf = (items: EnhancedTransaction[]): SolanaHistory => ({
  async page(_network, _address, { limit, before }) {
    const from = before === undefined ? 0 : items.findIndex(({ signature }) => signature === before) + 1;
    return { items: items.slice(from, from + limit), complete: true };
  },
  sources: () => [],
});
const signatures = ({ items }: Awaited<ReturnType<typeof ownerSource>>): string[] =>
  items.map(each => (each.type === 'solana' ? each.data.signature : ''));

describe('the Solana side of a merged history', () => {
  it('leaves the token to its own source, and reads on to fill the page', async () => {
    const history = historyOf([
      item('1', 'USDC'),
      item('2'),
      item('3', 'USDC'),
      item('4', 'BONK'),
      item('5'),
    ]);
    const source = await ownerSource(history, 'mainnet', 'owner', {
      limit: 2,
      before: undefined,
      except: 'USDC',
    });
    expect(signatures(source)).toEqual(['2', '4']);
    expect(source.more).toBe(true);
    const rest = await ownerSource(history, 'mainnet', 'owner', { limit: 2, before: '4', except: 'USDC' });
    expect(signatures(rest)).toEqual(['5']);
    expect(rest.more).toBe(false);
  });

  it('excludes nothing when the token has no source', async () => {
    const history = historyOf([item('1', 'USDC'), item('2')]);
    const source = await ownerSource(history, 'mainnet', 'owner', {
      limit: 5,
      before: undefined,
      except: null,
    });
    expect(signatures(source)).toEqual(['1', '2']);
  });

  it('is complete when all its pages are', async () => {
    const pages = [
      { items: [item('1', 'USDC')], complete: true },
      { items: [], complete: false },
    ];
    const solana = { page: async () => pages.shift()!, sources: () => [] };
    const page = { limit: 1, before: undefined, except: 'USDC' };
    expect((await ownerSource(solana, 'mainnet', 'owner', page)).complete).toBe(false);
  });

  it('requests pages of the token account and the mint', async () => {
    const page = jest.fn(async () => ({ items: [item('1', 'USDC')], complete: true }));
    const solana = { page, sources: () => [] };
    const source = await tokenSource(solana, 'devnet', 'ata', { limit: 1, before: 'x', mint: 'USDC' });
    expect(page).toHaveBeenCalledWith('devnet', 'ata', { limit: 1, before: 'x', mint: 'USDC' });
    expect(source).toMatchObject({ kind: 'solanaToken', more: true });
  });
});
