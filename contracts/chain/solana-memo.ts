/** SPL Memo, versions 2 and 1 (https://spl.solana.com/memo). The instruction data is UTF-8 text. */
export const MEMO_PROGRAMS: readonly string[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
];
