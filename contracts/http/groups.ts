/** The groups of endpoints and what they are about, in the order in which the documentation shows them. */
export const GROUPS = {
  'Billing administration':
    'Fees, revenue, invoices, settlements and rebates of the instance. Calls need a token: see Authorize. The examples use the data that `npm start -- --demo` records, and fees that the examples of `POST /api/fees` add.',
  'TON: transactions, status, configuration, contracts':
    'Histories and actions of accounts, the status of sent messages, contracts and network configuration.',
  'TON tokens': 'Jettons, mintless jettons, NFTs and extra currencies.',
  Staking:
    'What accounts have in nominator pools and in the liquid pool, and what the elections of validators say about the next rounds.',
  'Gasless transfers':
    'Transfers of jettons by wallets without TON: a relayer pays for them and is paid in the jetton.',
  'TON RPC node': 'The HTTP API v4 of TON, for TonClient4.',
  'Staked USDe':
    'What a share of the vault of USDe is worth, what it earns in a year, and what accounts have staked.',
  'Card service':
    'Enrolment of wallets and what card holders have. Its paths are also those of a host of its own. Operations whose summary ends with "(web page)" are not called by wallets: they stand for what the web page of a card service does.',
  Solana: 'Balances, tokens, transactions, fees, and a stream of the changes of an account.',
  Rates: 'Prices of coins, currencies and jettons, with their past.',
  Exchange: 'Currency exchange through a partner.',
  'TON Connect bridge': 'Messages between wallets and applications.',
  'TON Connect and connections': 'Sessions of applications with wallets, and their commands.',
  'Wallet requests': 'One wallet asks the owner of another to confirm that it is theirs.',
  'Cloud storage': 'Signed values that the devices of a wallet share.',
  'Application configuration, catalog, banners':
    'What operators publish for wallets, and what is known about applications.',
  Miscellaneous: 'Old wallets, addresses of services, push notifications and error reports.',
} as const;
