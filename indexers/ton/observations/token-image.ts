import type { TonContractSubject } from '../../../contracts/chain/ton-contract';
import { tokenImageRead } from '../../../contracts/chain/ton-token-observations';
import {
  defineObservation,
  type Clients,
  type ObservationSource,
} from '../../../contracts/observation/observation';
import { createFairSemaphore, TooManyWaiting } from '../../../contracts/fair-semaphore';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { webpOf } from '../../image-preview';
import { imageDigest, imageType } from '../../image-type';
import { drawnSvg } from '../../svg-image';
import { imageInDocument } from '../../token-attributes';
import { imageInContent, tokenContentOf } from '../decode/token-content';
import { readNftItem } from '../nft-items';
import { readJettonContent } from './jetton-master';
import { nftContentOf } from './nft';
import { contractSubject, TON_SOURCE } from './source';
import { readDocument } from './token-document';

export const IMAGE_READS = 16;

/** Reads wait for hosts that the issuers of tokens choose: who asks for those that stall takes its own share. */
const SOURCE: ObservationSource<TonContractSubject> = {
  ...TON_SOURCE,
  name: 'ton-token-images',
  maxConcurrent: IMAGE_READS,
  hasShares: true,
};

/** Decoding takes the processor: of the reads of all networks two do it at a time. */
const decoding = createFairSemaphore({ maxConcurrent: 2, maxWaiting: Infinity });
/** Drawing takes seconds of it: other images go on meanwhile, and never wait for more than so many that are drawn. */
const drawing = createFairSemaphore({ maxConcurrent: 1, maxWaiting: 3 });

/** Of each side, at most: NFT items are shown as wide as a phone. */
const PIXELS = 512;

/**
 * The image that a jetton or an NFT item contains, on the chain or in its document (TEP-64), decoded and encoded again: what is
 * not a pixel of it (scripts, metadata, other files) is gone. Clients and proxies cache it for good, so nothing of it is stored.
 */
export const tokenImage = defineObservation({
  kind: 'ton.token.image',
  recorded: false,
  subject: contractSubject,
  schema: tokenImageRead,
  source: SOURCE,
  ttlMs: 600_000,
  maxEntries: 200,
  async read(clients, { network, address }, signal, caller = '') {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const image = await containedImage(clients, client, height, address, signal);
    if (!image) return { height, data: null };
    try {
      const raster =
        imageType(image) === 'svg'
          ? await drawing.run({ caller }, () => drawnSvg(image, PIXELS, signal), signal)
          : image;
      const webp = await decoding.run({ caller }, () => webpOf(raster, PIXELS), signal);
      return { height, data: { digest: imageDigest(image), webp: webp.toString('base64') } };
    } catch (error) {
      if (signal.aborted || error instanceof TooManyWaiting) throw error;
      // Damaged, or too large: as good as none.
      return { height, data: null };
    }
  },
});

async function containedImage(
  { web }: Pick<Clients, 'web'>,
  client: TonClient,
  seqno: number,
  address: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const item = await readNftItem(client, seqno, address);
  const content = await (item
    ? nftContentOf(client, seqno, item)
    : readJettonContent(client, seqno, address));
  if (!content) return null;
  const image = imageInContent(content);
  const { uri } = tokenContentOf(content);
  return image ?? (uri === null ? null : imageInDocument(await readDocument(web, uri, signal)));
}
