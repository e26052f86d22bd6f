import type { RequestDetail, RequestItem } from '../../../../server/contract/control-requests.ts'
import { useRead, useWholeList } from '../../../api/query.ts'
import {
  type Candidate,
  candidatesOf,
  CompareDialog,
  Comparison,
} from '../../../shared/compare/compare-dialog.tsx'
import type { useCompare } from '../../../shared/compare/use-compare.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { requestFacts } from '../model/request-facts.ts'

interface CompareRequestsProps {
  request: RequestDetail
  compare: ReturnType<typeof useCompare>
}

export function CompareRequests({ request, compare }: CompareRequestsProps) {
  const all = useWholeList('GET requests').data?.items ?? []
  return (
    <CompareDialog
      candidates={findCandidates(request, all, compare.markedId)}
      otherId={compare.otherId}
      onOther={compare.setOther}
      onClose={compare.close}
      renderComparison={(otherId) => <WithOther request={request} otherId={otherId} />}
    />
  )
}

function WithOther({ request, otherId }: { request: RequestDetail; otherId: string }) {
  const other = useRead('GET requests/:id', { params: { id: otherId } })
  return (
    <QueryView query={other} what="the other request">
      {(before) => <Comparison before={requestFacts(before)} after={requestFacts(request)} />}
    </QueryView>
  )
}

/** Requests to compare with: the marked one, the original, and those before it to the same path. */
function findCandidates(
  request: RequestDetail,
  newestFirst: readonly RequestItem[],
  markedId: string | undefined,
): Candidate[] {
  const routeOf = ({ path }: RequestItem) => path.split('?', 1)[0]
  const alike = newestFirst
    .slice(newestFirst.findIndex(({ id }) => id === request.id) + 1)
    .filter((other) => other.method === request.method && routeOf(other) === routeOf(request))
  const goodOne = alike.find(({ status }) => status > 0 && status < 400)
  return candidatesOf(request.id, markedId, [
    [request.resentFrom, 'Original of this replay'],
    [alike[0]?.id, `Previous ${request.method} ${routeOf(request) ?? ''}`],
    [goodOne?.id, `Last successful ${request.method} ${routeOf(request) ?? ''}`],
  ])
}
