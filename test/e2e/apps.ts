import { isDeepStrictEqual } from 'node:util';
import { reviewText } from '../../services/apps/review/submit';
import { sha256 } from '../../contracts/encoding/sha256';
import { ed25519Key } from '../../infra/devnet/ed25519';
import { localWallet } from '../../infra/devnet/ton/wallets';
import { until } from '../until';
import { callUntilReady } from './client';
import { applicationSchemas as wallet } from './dialects/application-schemas';
import type { Installation } from './installation';

interface Review {
  readonly rating: number;
  readonly verified: boolean;
  readonly comment: { readonly text: string } | null;
}

/** A wallet that was never deployed, so that it names its key. */
export function apps(main: Installation): void {
  const alice = localWallet('reviews: alice', 'v5r1', 'testnet');
  const address = alice.contract.address.toString({ testOnly: true, bounceable: false });
  const url = 'https://reviewed.example.com/app';

  const review = (input: object) =>
    callUntilReady(main.program.url, 'POST', '/apps/reviews', {
      body: { url, input: { address, ...input } },
    });
  const signed = (input: { rating: number; comment: { text: string; images: string[] } }) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const key = ed25519Key(alice.keys.secretKey.subarray(0, 32));
    const signature = key.sign(sha256(reviewText(url, { address, ...input })(timestamp))).toString('base64');
    return { ...input, timestamp, signature, publicKey: alice.keys.publicKey.toString('hex') };
  };
  const catalog = async () => {
    const escaped = encodeURIComponent(encodeURIComponent(`${url}/?ref=7`));
    const { body } = await main.get(`/apps/catalog?url=${escaped}`);
    return (body as { extension: object }).extension;
  };

  it('a wallet reviews an application, and only it replaces what it has signed', async () => {
    expect((await review({ rating: 1, comment: null })).body).toMatchObject({
      review: { address, rating: 1, comment: null, verified: false },
    });
    const mine = signed({ rating: 4, comment: { text: 'It works', images: [] } });
    const answer = await review(mine);
    expect([answer.status, (answer.body as { review: Review }).review]).toMatchObject([
      200,
      { rating: 4, verified: true, comment: { text: 'It works', images: [] } },
    ]);
    expect(await review({ rating: 1, comment: null })).toMatchObject({
      status: 403,
      body: { code: 'signature_required' },
    });
    expect(await review({ ...mine, rating: 5 })).toMatchObject({
      status: 403,
      body: { code: 'signature_invalid' },
    });
    const read = await main.get(`/apps/reviews?url=${encodeURIComponent(url)}&address=${address}`);
    const { review: own, reviews } = read.body as { review: Review; reviews: Review[] };
    expect([own.rating, reviews]).toEqual([4, [own]]);
    expect(await catalog()).toMatchObject({ url, rating: 4, reviewsCount: 1, metadata: null });
  });

  it('a wallet that complains of an application counts once for each type', async () => {
    const report = (type: string) =>
      main.post('/apps/reports', { url, input: { type, address, comment: { text: 'Bad', images: [] } } });
    const [first, again] = [await report('scam'), await report('scam')];
    await report('bug');
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({ report: { url, address, type: 'scam', comment: { text: 'Bad' } } });
    const counted = { reportsSummary: { scam: 1, bug: 1, spam: 0, offense: 0 } };
    await until(catalog, extension => isDeepStrictEqual(extension, { ...extension, ...counted }));
  });

  it('an application is verified while operators say so', async () => {
    for (const [decision, verified] of [['verify', true] as const, ['unverify', false] as const]) {
      await main.command('apps', decision, url);
      await until(catalog, extension => isDeepStrictEqual(extension, { ...extension, verified }));
    }
  });

  describe('what the local application says of itself', () => {
    const local = 'https://app.example.com';
    const read = async () => {
      // As wallets ask, which escape the address once for this endpoint.
      const { body } = await main.get(`/apps/metadata?url=${encodeURIComponent(local)}`);
      return body as { title: string; image: { preview256: string } | null };
    };

    it('is answered with its name, icon and domain, as the specification and wallets read them', async () => {
      const answer = await until(read, ({ image }) => image !== null);
      const { preview256 } = wallet.metadata.parse(answer).image!;
      expect(answer).toMatchObject({
        url: local,
        title: 'Local application',
        description: 'An application that exists on this machine only.',
        color: '#0b2a4a',
        originalImage: `${local}/icon.png`,
        // In the words of the specification.
        name: 'Local application',
        icon: preview256,
        domain: 'app.example.com',
      });
      const image = await fetch(preview256);
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(image.headers.get('cache-control')).toContain('immutable');
      expect(
        Buffer.from(await image.arrayBuffer())
          .subarray(8, 12)
          .toString(),
      ).toBe('WEBP');
    });

    it('is in the catalog too', async () => {
      const escaped = encodeURIComponent(encodeURIComponent(local));
      const entry = await until(
        async () => wallet.catalog.parse((await main.get(`/apps/catalog?url=${escaped}`)).body).extension,
        ({ metadata }) => metadata !== null,
      );
      expect(entry.metadata).toEqual(await read());
    });

    it('is answered with its domain where it cannot be reached', async () => {
      const { body } = await main.get('/apps/metadata?url=https%3A%2F%2Fnowhere.example.com');
      expect(wallet.metadata.parse(body)).toMatchObject({ title: 'nowhere.example.com', image: null });
    });
  });
}
