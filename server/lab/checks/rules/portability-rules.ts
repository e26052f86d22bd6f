import { readBasic } from '../../../core/basic-credentials.ts'
import { bodyText } from '../../../inspect/log/body-text.ts'
import { because, type Evidence, type SeenRequest } from '../evidence.ts'
import { kindOfCall } from '../kind-of-call.ts'
import type { Rule } from '../rule.ts'

const notEmulated: Rule = {
  id: 'portability/not-emulated',
  level: 'warning',
  certainty: 'certain',
  title:
    'The app calls a part of the Hub that the sandbox does not emulate. This part of the run says nothing about the Hub.',
  fix: 'Replace these calls in the test, or test this part against the real Hub.',
  exceptions: ['a fault made the status'],
  sources: [
    {
      name: 'What is emulated',
      section: 'Not emulated',
      url: 'https://github.com/hub-sandbox/hub-sandbox/blob/main/server/contract/README.md#not-emulated',
    },
  ],
  watch({ requests }) {
    const calls = requests.filter(({ path }) => /^\/(?:api|v1|v2)\//.test(path))
    return {
      judged: calls.length,
      sightings: calls
        .filter(({ record }) => record.status === 501 && !record.faultId)
        .map((request) => ({
          subject: { clientId: request.clientId },
          key: kindOfCall(request),
          ...(isByHand(request) && { level: 'note' as const }),
          at: request.record.at,
          evidence: [because(request, 'was answered 501')],
        })),
    }
  },
}

/** A developer tries a call out; no app does it. */
function isByHand({ record }: SeenRequest): boolean {
  return /^(?:curl|Wget|HTTPie)\//.test(record.request.headers['user-agent'] ?? '')
}

/** Forms of the tokens of the real hub. Those of a sandbox begin with `hf_sandbox` or `hf_oauth_sandbox`. */
const realForm = /^hf_(?:(?!sandbox)[A-Za-z0-9]{34}$|oauth_eyJ)/
const inText = /\bhf_[\w.-]+/g
const oneLetter = /^hf_(.)\1*$/i

const realToken: Rule = {
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
  watch(evidence) {
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

export const portabilityRules: readonly Rule[] = [notEmulated, realToken]
