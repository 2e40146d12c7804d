/** Settings that say of every network that it is a local one; those of real ones come after it. */
export const LOCAL_NETWORKS = {
  TON_RPC_URL_MAINNET: 'local',
  TON_RPC_URL_TESTNET: 'local',
  SOLANA_RPC_URL_MAINNET: 'local',
  SOLANA_RPC_URL_DEVNET: 'local',
};
