/*
 * The entrance: what the program uses of this folder, which has the local networks, their accounts and traffic, and the doubles of
 * partners.
 */
export { LOCAL_BANNERS } from './banners';
export { localNetworkMetadata } from './command-metadata';
export { startCardIssuerDouble, type CardIssuerDouble } from './card-issuer/card-issuer-double';
export { CARD_SCENARIOS } from './card-issuer/scenarios';
export { startChangellyDouble, type ChangellyDouble } from './exchange/changelly-double';
export { openSlowWay, type SlowWay } from './latency';
export { startLocalNetworks, type LocalNetworks } from './local-networks';
export { devnetPage } from './page';
export { localOrigins } from './ton/local-origin';
export { localRelayer } from './ton/traffic/relayer';
export { startLocalTraffic } from './traffic';
export type { TonDevnetDescription } from './ton/traffic/traffic';
