import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callUntil } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import type { NameOf } from '../model/describe-step.ts'
import { RevealContext, useRevealState } from '../model/reveal.ts'
import { StepDetails } from './step-details.tsx'

interface StepPaneProps {
  flowId: string
  stepId: string
  nameOf: NameOf
  onClose: () => void
}

/** Details of a step; secrets are read one by one when revealed. */
export function StepPane({ flowId, stepId, nameOf, onClose }: StepPaneProps) {
  const reveal = useRevealState(stepId)
  const names = [...reveal.names].toSorted().join(',')
  const detail = useQuery({
    queryKey: ['flows', `${flowId}/steps/${stepId}`, { reveal: names }],
    queryFn: ({ signal }) =>
      callUntil(signal)('GET flows/:id/steps/:step', {
        params: { id: flowId, step: stepId },
        query: names === '' ? {} : { reveal: names },
      }),
    // Keeps the content while one value is being read.
    placeholderData: keepPreviousData,
    // A revealed secret is not cached after the pane closes.
    gcTime: 0,
  })
  return (
    <aside aria-label="Step details" className="flex h-full min-h-0 flex-col bg-surface">
      <RevealContext value={reveal}>
        <QueryView
          query={detail}
          what="this step"
          wayOut={<Button onClick={onClose}>Close</Button>}
        >
          {(data) => (
            <StepDetails
              // Another step begins at its top.
              key={stepId}
              detail={data}
              nameOf={nameOf}
              onClose={onClose}
            />
          )}
        </QueryView>
      </RevealContext>
    </aside>
  )
}
