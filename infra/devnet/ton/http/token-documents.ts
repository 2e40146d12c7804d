import { Router } from 'express';
import { Address } from '@ton/core';
import { parseTonAddress } from '../../../../contracts/account/address';
import type { TonNetwork } from '../../../../contracts/network/network';
import { TOKEN_DOCUMENTS_PATH } from '../local-origin';
import { payloadAnswer, type MintlessJetton } from '../mintless/mintless';
import { localMintless, SEMI_CHAIN_DOCUMENT } from '../traffic/local-tokens';

/** The documents that the tokens of a local network name, and the server for payloads (TEP-176) of the mintless one. */
export function tokenDocumentRoutes(network: TonNetwork): Router {
  const router = Router();
  let jetton: MintlessJetton | undefined;
  const mintless = (): MintlessJetton => (jetton ??= localMintless(network));

  router.get(`${TOKEN_DOCUMENTS_PATH}/semi.json`, (_request, response) => {
    response.json(SEMI_CHAIN_DOCUMENT);
  });
  router.get(`${TOKEN_DOCUMENTS_PATH}/mintless/airdrop.boc`, (_request, response) => {
    response.type('application/octet-stream').send(mintless().airdrop.toBoc());
  });
  router.get(`${TOKEN_DOCUMENTS_PATH}/mintless/wallet/:owner`, ({ params: { owner } }, response, next) => {
    const parsed = parseTonAddress(owner);
    if (!parsed) {
      response.status(400).json({ error: 'owner is neither a friendly nor a raw TON address' });
      return;
    }
    const address = Address.parseRaw(parsed.raw);
    const claim = mintless().claimOf(address);
    if (claim) response.json(payloadAnswer(address, claim));
    else next();
  });
  return router;
}
