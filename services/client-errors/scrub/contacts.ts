import { isIPv6 } from 'node:net';

const URL = /(?<![a-z])[a-z]+:\/\/[^\s"'<>]+/gi;
const USER = /^([^/]*:\/\/)[^/]*@/;
const QUERY = /\?[\w%~[\]-]+=[^\s"'<>]*/g;
const EMAIL = /(?<![^\s@"<>()[\],;:])[^\s@"<>()[\],;:]+@([^\s@"'<>()[\],;:/]+)/g;
const DOMAIN = /\.\p{L}{2,}/u;
/** `function@file`, as some engines write a frame of a stack. */
const FILE = /\.(?:[cm]?[jt]sx?|jsbundle|bundle|hbc|map)$/;
/** Folders of users, by their names. On Windows these may have spaces, and the backslash before one may be read as an escape. */
const HOME = /(\/(?:home|users)\/)[^\s/\\"'<>:;,)]+/gi;
const HOME_OF_WINDOWS =
  /(\\(?:users|documents and settings)(?:\\+|[\n\t]))(?:[^\\/\n\t"'<>:|]+(?=[\\\n\t])|[^\s\\/"'<>:|]+)/gi;
const IPV4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3,}(?!\d)/g;
const IPV6 = /(?<!\w)[\da-f:]*:[\da-f:]*/gi;
const MIN_IPV6_COLONS = 3;

function withoutQuery(url: string): string {
  const query = url.search(/[?#]/);
  const path = query < 0 ? url : `${url.slice(0, query)}?[query]`;
  return path.replace(USER, '$1');
}

function isAddress(run: string): boolean {
  return isIPv6(run) || isIPv6(run.replace(/:$/, '')) || run.split(':').length > MIN_IPV6_COLONS;
}

/** Removes what leads to a person: queries, fragments and users of URLs, names of home folders, e-mail and IP addresses. */
export function removeContacts(text: string): string {
  return text
    .replace(URL, withoutQuery)
    .replace(QUERY, '?[query]')
    .replace(HOME, '$1[user]')
    .replace(HOME_OF_WINDOWS, '$1[user]')
    .replace(EMAIL, (email: string, domain: string) =>
      DOMAIN.test(domain) && !FILE.test(domain) ? '[email]' : email,
    )
    .replace(IPV4, '[ip]')
    .replace(IPV6, run => (isAddress(run) ? '[ip]' : run));
}
