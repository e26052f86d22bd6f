import type { TokenItem } from '../../../../server/contract/control-tokens.ts'
import { shellQuote, shellWord } from '../../../lib/shell-quote.ts'

/** curl command that returns the owner of a token; for tokens of a sign-in the claims of its user. */
export function curlOf({ token, kind, scopes }: TokenItem, url: string): string {
  const path = kind === 'oauth' && scopes.includes('openid') ? '/oauth/userinfo' : '/api/whoami-v2'
  return `curl ${shellWord(url + path)} -H ${shellQuote(`Authorization: Bearer ${token}`)}`
}
