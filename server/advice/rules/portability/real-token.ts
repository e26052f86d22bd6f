import { readBasic } from '../../../core/basic-credentials.ts'
import { bodyText } from '../../../requests/log/body-text.ts'
import { because, type Evidence, type SeenRequest } from '../../evidence.ts'
import type { Rule } from '../../rule.ts'

/** Forms of the tokens of the real hub. Those of a sandbox begin with `hf_sandbox` or `hf_oauth_sandbox`. */
const realForm = /^hf_(?:(?!sandbox)[A-Za-z0-9]{34}$|oauth_eyJ)/
const inText = /\bhf_[\w.-]+/g
const oneLetter = /^hf_(.)\1*$/i

export const realToken: Rule = {
  id: 'portability/real-token',
  level: 'error',
  certainty: 'certain',
  title:
    'A token that looks like one of the real Hub was sent to the sandbox. It is masked everywhere.',
  fix: 'Remove the real token from this environment, and use a token of the sandbox: "hub-sandbox token --user alice".',
  exceptions: [
    'the token is obviously made up',
    'the fixtures file has the token',
    'a sandbox issued the token before a reset',
  ],
  sources: [
    {
      name: 'User access tokens of the Hub',
      section: 'Best practices',
      url: 'https://huggingface.co/docs/hub/security-tokens',
    },
  ],
  check(evidence) {
    const withToken = evidence.requests.filter((request) => tokensOf(request).length > 0)
    return {
      judged: withToken.length,
      sightings: withToken
        .filter((request) => tokensOf(request).some((token) => isReal(evidence, token)))
        .map((request) => ({
          subject: { clientId: request.clientId },
          key: 'token',
          at: request.record.at,
          evidence: [because(request, 'sent the token')],
        })),
    }
  },
}

function tokensOf({ bearer, record, query, form }: SeenRequest): string[] {
  const basic = readBasic(record.request.headers.authorization)?.password
  const body = bodyText(record.request.body) ?? ''
  const sent = [bearer, basic, ...query.values(), ...form.values(), ...(body.match(inText) ?? [])]
  return sent.filter((value) => value?.startsWith('hf_') === true) as string[]
}

/** Fixtures may name any token. */
function isReal({ state }: Evidence, token: string): boolean {
  return (
    realForm.test(token) &&
    !oneLetter.test(token) &&
    state.tokens.find('token', token) === undefined
  )
}
