/** Settings that say of every network that it is a local one; those of real ones come after it. */
export const LOCAL_NETWORKS = {
  TON_RPC_URL_MAINNET: 'local',
  TON_RPC_URL_TESTNET: 'local',
  SOLANA_RPC_URL_MAINNET: 'local',
  SOLANA_RPC_URL_DEVNET: 'local',
};

/** Without the test networks: a program then starts with a fifth and idles with two fifths less processor time. */
export const LOCAL_MAINNETS = { ...LOCAL_NETWORKS, TON_RPC_URL_TESTNET: 'off', SOLANA_RPC_URL_DEVNET: 'off' };

/** For tests that use no chain. */
export const NETWORKS_OFF = {
  TON_RPC_URL_MAINNET: 'off',
  TON_RPC_URL_TESTNET: 'off',
  SOLANA_RPC_URL_MAINNET: 'off',
  SOLANA_RPC_URL_DEVNET: 'off',
};
