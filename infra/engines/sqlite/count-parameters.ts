/** One token of SQLite's grammar that may hide a `?` or a `;`, or is one: https://www.sqlite.org/lang_expr.html */
const TOKEN = new RegExp(
  [
    /'(?:[^']|'')*'/, // text
    /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^[\]]*\]/, // quoted names
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/, // comments
    /[\p{L}_][\p{L}\p{N}_$]*/u, // names and keywords
    /\?\d*|[:@$][\p{L}\p{N}_]+|;/u,
  ]
    .map(part => part.source)
    .join('|'),
  'gu',
);

/**
 * How many parameters a statement takes. Only `?` and `?1` are allowed; libsql binds missing ones to NULL and drops
 * surplus ones, so the count has to be checked first.
 * @throws TypeError for a named parameter and for text after the first statement, which libsql would ignore.
 */
export function countParameters(sql: string): number {
  let highest = 0;
  let ended = false;
  for (const [token] of sql.trimEnd().matchAll(TOKEN)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    if (ended) throw new TypeError(`more than one statement: ${sql}`);
    if (token === ';') ended = true;
    else if (token.startsWith('?'))
      highest = token === '?' ? highest + 1 : Math.max(highest, +token.slice(1));
    else if (/^[:@$]/.test(token)) throw new TypeError(`named parameter ${token} in: ${sql}`);
  }
  return highest;
}
