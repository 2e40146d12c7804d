import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { ownerStrand, tokenStrand, type SolanaHistory } from './solana';

const item = (signature: string, mint?: string): EnhancedTransaction =>
  ({ signature, timestamp: 0, tokenTransfers: mint ? [{ mint }] : [] }) as unknown as EnhancedTransaction;

/** A history that pages as the real one does. */
const historyOf = (items: EnhancedTransaction[]): SolanaHistory => ({
  async page(_network, _address, { limit, before }) {
    const from = before === undefined ? 0 : items.findIndex(({ signature }) => signature === before) + 1;
    return { items: items.slice(from, from + limit), settled: true };
  },
  sources: () => [],
});
const signatures = ({ items }: Awaited<ReturnType<typeof ownerStrand>>): string[] =>
  items.map(each => (each.type === 'solana' ? each.data.signature : ''));

describe('the Solana side of a unified history', () => {
  it('leaves the token to its own strand, and reads on to fill the page', async () => {
    const history = historyOf([
      item('1', 'USDC'),
      item('2'),
      item('3', 'USDC'),
      item('4', 'BONK'),
      item('5'),
    ]);
    const strand = await ownerStrand(history, 'mainnet', 'owner', {
      limit: 2,
      before: undefined,
      except: 'USDC',
    });
    expect(signatures(strand)).toEqual(['2', '4']);
    expect(strand.more).toBe(true);
    const rest = await ownerStrand(history, 'mainnet', 'owner', { limit: 2, before: '4', except: 'USDC' });
    expect(signatures(rest)).toEqual(['5']);
    expect(rest.more).toBe(false);
  });

  it('leaves nothing out when the token has no strand', async () => {
    const history = historyOf([item('1', 'USDC'), item('2')]);
    const strand = await ownerStrand(history, 'mainnet', 'owner', {
      limit: 5,
      before: undefined,
      except: null,
    });
    expect(signatures(strand)).toEqual(['1', '2']);
  });

  it('is settled when all its pages are', async () => {
    const pages = [
      { items: [item('1', 'USDC')], settled: true },
      { items: [], settled: false },
    ];
    const solana = { page: async () => pages.shift()!, sources: () => [] };
    const page = { limit: 1, before: undefined, except: 'USDC' };
    expect((await ownerStrand(solana, 'mainnet', 'owner', page)).settled).toBe(false);
  });

  it('asks for the token account and the mint', async () => {
    const page = jest.fn(async () => ({ items: [item('1', 'USDC')], settled: true }));
    const solana = { page, sources: () => [] };
    const strand = await tokenStrand(solana, 'devnet', 'ata', { limit: 1, before: 'x', mint: 'USDC' });
    expect(page).toHaveBeenCalledWith('devnet', 'ata', { limit: 1, before: 'x', mint: 'USDC' });
    expect(strand).toMatchObject({ kind: 'solanaToken', more: true });
  });
});
