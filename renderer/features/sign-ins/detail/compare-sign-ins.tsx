import { useQuery } from '@tanstack/react-query'
import type { FlowDetail } from '../../../../server/contract/control-flows.ts'
import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { callUntil } from '../../../api/client.ts'
import { useWholeList } from '../../../api/query.ts'
import {
  type Candidate,
  candidatesOf,
  CompareDialog,
  Comparison,
} from '../../../shared/compare/compare-dialog.tsx'
import type { useCompare } from '../../../shared/compare/use-compare.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { flowFacts } from '../model/flow-facts.ts'

interface CompareSignInsProps {
  flow: FlowDetail
  compare: ReturnType<typeof useCompare>
}

export function CompareSignIns({ flow, compare }: CompareSignInsProps) {
  const all = useWholeList('GET flows').data?.items ?? []
  return (
    <CompareDialog
      candidates={findCandidates(flow, all, compare.markedId)}
      otherId={compare.otherId}
      onOther={compare.setOther}
      onClose={compare.close}
      renderComparison={(otherId) => <Both id={flow.id} otherId={otherId} />}
    />
  )
}

function Both({ id, otherId }: { id: string; otherId: string }) {
  const facts = useQuery({
    queryKey: ['flows', `${id}/compared`, { otherId }],
    queryFn: async ({ signal }) => {
      const call = callUntil(signal)
      const read = async (flowId: string) => {
        const flow = await call('GET flows/:id', { params: { id: flowId } })
        // Waits and clock moves have no message.
        const steps = flow.steps.filter(({ requestId }) => requestId !== undefined).slice(0, 40)
        const details = steps.map((step) =>
          call('GET flows/:id/steps/:step', { params: { id: flowId, step: step.id } }),
        )
        return flowFacts(flow, await Promise.all(details))
      }
      const [before, after] = await Promise.all([read(otherId), read(id)])
      return { before, after }
    },
  })
  return (
    <QueryView query={facts} what="the other sign-in">
      {({ before, after }) => <Comparison before={before} after={after} />}
    </QueryView>
  )
}

/** Sign-ins to compare with: the marked one, then those of the same kind, of the same app first. */
function findCandidates(
  flow: FlowDetail,
  newestFirst: readonly FlowItem[],
  markedId: string | undefined,
): Candidate[] {
  const alike = newestFirst.filter(({ id, kind }) => id !== flow.id && kind === flow.kind)
  const isOfApp = ({ app }: FlowItem) => app !== undefined && app.clientId === flow.app?.clientId
  const completed = alike.filter(({ outcome }) => outcome === 'completed')
  return candidatesOf(flow.id, markedId, [
    [completed.find(isOfApp)?.id, 'Last completed one of this app'],
    [completed[0]?.id, 'Last completed one of this kind'],
    [alike.find(isOfApp)?.id, 'Last one of this app'],
    [alike[0]?.id, 'Last one of this kind'],
  ])
}
