import type { TonContractSubject } from '../../../contracts/chain/ton-contract';
import { tokenImageRead } from '../../../contracts/chain/ton-token-observations';
import { defineObservation, type ObservationSource } from '../../../contracts/observation/observation';
import { SiteFailed } from '../../../contracts/observation/site-failed';
import { messageOf } from '../../../contracts/text/error-message';
import { shareOf } from '../../../contracts/bound';
import { TON_NETWORKS } from '../../../contracts/network/network';
import { createFairSemaphore, TooManyWaiting } from '../../../contracts/fair-semaphore';
import type { PublicWeb } from '../../../contracts/ports/public-web';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { webpOf } from '../../image-preview';
import { imageDigest, imageType } from '../../image-type';
import { createSlowSites } from '../../slow-sites';
import { drawnSvg } from '../../svg-image';
import { imageInDocument } from '../../token-attributes';
import { imageInContent, tokenContentOf } from '../decode/token-content';
import { readNftItem } from '../nft-items';
import { readJettonContent } from './jetton-master';
import { nftContentOf } from './nft';
import { siteOf } from './public-web';
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

/** Which server has the document is only known while a read runs: those of one that stalls get a share, whichever caller asks. */
const documents = createFairSemaphore({
  maxConcurrent: IMAGE_READS * TON_NETWORKS.length,
  maxWaiting: 0,
  share: shareOf(IMAGE_READS),
});
const slow = createSlowSites();

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
    const readOf = (uri: string): Promise<unknown> => {
      const site = siteOf(uri);
      const target = (): string => `${network}/${slow.targetOf(site)}`;
      const read = (): Promise<unknown> => slow.timed(site, () => readFrom(clients.web, uri, signal));
      return documents.run({ caller: `${network}/${caller}`, target }, read, signal);
    };
    const image = await containedImage(client, height, address, readOf);
    if (!image) return { height, data: null };
    try {
      const raster =
        imageType(image) === 'svg'
          ? await drawing.run({ caller }, () => drawnSvg(image, PIXELS, signal), signal)
          : image;
      const webp = await webpOf(raster, PIXELS, { caller, signal });
      return { height, data: { digest: imageDigest(image), webp: webp.toString('base64') } };
    } catch (error) {
      if (signal.aborted || error instanceof TooManyWaiting) throw error;
      // Damaged, or too large: as good as none.
      return { height, data: null };
    }
  },
});

/** @throws SiteFailed */
async function readFrom(web: PublicWeb, uri: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await readDocument(web, uri, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new SiteFailed(messageOf(error), { cause: error });
  }
}

async function containedImage(
  client: TonClient,
  seqno: number,
  address: string,
  readOf: (uri: string) => Promise<unknown>,
): Promise<Buffer | null> {
  const item = await readNftItem(client, seqno, address);
  const content = await (item
    ? nftContentOf(client, seqno, item)
    : readJettonContent(client, seqno, address));
  if (!content) return null;
  const image = imageInContent(content);
  const { uri } = tokenContentOf(content);
  return image ?? (uri === null ? null : imageInDocument(await readOf(uri)));
}
