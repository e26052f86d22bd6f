import { because, type SeenRequest } from '../../evidence.ts'
import { kindOfCall } from '../../kind-of-call.ts'
import type { Rule } from '../../rule.ts'

export const notEmulated: Rule = {
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
  check({ requests }) {
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
