import type { TokenItem } from '../../../../server/contract/control-tokens.ts'
import { shellQuote, shellWord } from '../../../lib/shell-quote.ts'

/** A call that says whose token it is; of a token that signs in, by the claims of its user. */
export function curlOf({ token, kind, scopes }: TokenItem, url: string): string {
  const path = kind === 'oauth' && scopes.includes('openid') ? '/oauth/userinfo' : '/api/whoami-v2'
  return `curl ${shellWord(url + path)} -H ${shellQuote(`Authorization: Bearer ${token}`)}`
}
