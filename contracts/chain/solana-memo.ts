/** SPL Memo, version 2 and version 1: https://spl.solana.com/memo. The data of its instructions is text in UTF-8. */
export const MEMO_PROGRAMS: readonly string[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
];
