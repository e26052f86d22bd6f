import type { RequestDetail } from '../../../../server/contract/control-requests.ts'
import {
  bodyFacts,
  type Fact,
  headerFacts,
  namedFacts,
  queryFacts,
  timingFacts,
} from '../../../shared/compare/compare-facts.ts'
import { formatTook } from '../../../lib/format.ts'
import { words } from '../words.ts'

/** Values of a request and its response, to compare it with another one. */
export function requestFacts(detail: RequestDetail): Fact[] {
  const { request, response } = detail
  return [
    ...namedFacts(words.request, {
      [words.method]: detail.method,
      ['Path']: detail.path.split('?', 1)[0],
      [words.status]: detail.status,
      ['Error']: detail.error,
      ['Reason']: detail.detail,
      [words.app]: detail.app?.name,
      [words.user]: detail.user?.username,
      [words.fault]: detail.faultChanges?.join('; '),
    }),
    ...queryFacts('Query', detail.path),
    ...bodyFacts(words.bodyOf(words.request), request.body),
    ...headerFacts(words.headersOf(words.request), request.headers),
    ...bodyFacts(words.bodyOf(words.response), response.body),
    ...headerFacts(words.headersOf(words.response), response.headers),
    ...timingFacts('Timing', { [words.duration]: formatTook(detail.durationMs) }),
  ]
}
