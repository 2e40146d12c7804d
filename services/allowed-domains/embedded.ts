/** Allowed until an operator revokes them: the explorers, markets and exchanges that wallets of TON and Solana link to. */
export const EMBEDDED_DOMAINS: readonly string[] = [
  '.ton.org',
  '.tonhub.com',
  '.tonwhales.com',
  '.tonviewer.com',
  '.tonscan.org',
  '.fragment.com',
  '.getgems.io',
  '.ston.fi',
  '.dedust.io',
  '.ethena.fi',
  '.solana.com',
  '.solscan.io',
  '.changelly.com',
];
