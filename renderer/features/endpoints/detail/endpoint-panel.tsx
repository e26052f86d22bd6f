import type { InferenceEndpointItem } from '../../../../server/contract/control-inference.ts'
import { repeatText } from '../../../shared/repeat-request.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyableId, CopyButton } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { StateCell } from '../list/state-cell.tsx'
import { type Move, useDeleteEndpoint, useMoveEndpoint } from '../model/requests.ts'
import { words } from '../words.ts'
import { StateMachine } from './state-machine.tsx'

interface EndpointPanelProps {
  endpoint: InferenceEndpointItem
  onDeleted: () => void
  /** Absent in a dialog, which has its own button. */
  onClose: (() => void) | undefined
}

/** Open inference endpoint. */
export function EndpointPanel({ endpoint, onDeleted, onClose }: EndpointPanelProps) {
  const { namespace, name, url, scaling } = endpoint
  return (
    <div className="scroll-quiet flex min-h-0 flex-col gap-4 overflow-y-auto px-4 py-3">
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <h2 className="line-clamp-3 text-base font-semibold break-all">
            {namespace}/{name}
          </h2>
          <StateCell endpoint={endpoint} />
          <p className="text-sm text-muted">{endpoint.message}</p>
        </div>
        {onClose && <IconButton icon="cross" size="small" label="Close" onClick={onClose} />}
      </div>
      <EndpointActions endpoint={endpoint} onDeleted={onDeleted} />
      <section>
        <h3 className="eyebrow pb-1.5">{words.states}</h3>
        <StateMachine present={endpoint.state} />
      </section>
      <Facts
        items={[
          ['ID', <CopyableId key="i" text={endpoint.id} head={24} />],
          ['Model', endpoint.repository],
          ['URL', url && <CopyableId key="u" text={url} what="URL" head={60} />],
          ['Access', endpoint.type],
          [
            words.instance,
            `${endpoint.accelerator} · ${endpoint.instanceType} ${endpoint.instanceSize}`,
          ],
          ['Scaling', describeScaling(scaling)],
          ['Created by', endpoint.creator.username],
          ['Created', formatDateTime(endpoint.createdAt)],
        ]}
      />
      <section className="flex flex-col gap-1.5">
        <h3 className="eyebrow">{words.call}</h3>
        {url === undefined ? (
          <p className="text-sm text-muted">
            It responds while it is running. Resume it to get its URL.
          </p>
        ) : (
          <>
            <Code label={words.call} text={curlOf(endpoint, url)} />
            <CopyButton text={curlOf(endpoint, url)} what="curl command" className="self-start" />
          </>
        )}
      </section>
    </div>
  )
}

function EndpointActions({
  endpoint,
  onDeleted,
}: Pick<EndpointPanelProps, 'endpoint' | 'onDeleted'>) {
  const { id, state, namespace, name } = endpoint
  const change = useMoveEndpoint()
  const removing = useQuestion(useDeleteEndpoint(), onDeleted)
  const isStopped = state === 'paused' || state === 'scaledToZero'
  const move = (to: Move) => change.mutate({ id, move: to })
  return (
    <div className="flex flex-wrap gap-2">
      {isStopped && (
        <Button size="small" icon="play" busy={change.isPending} onClick={() => move('resume')}>
          Resume
        </Button>
      )}
      {state !== 'paused' && (
        <Button size="small" icon="pause" busy={change.isPending} onClick={() => move('pause')}>
          Pause
        </Button>
      )}
      {!isStopped && (
        <Button
          size="small"
          icon="down"
          busy={change.isPending}
          onClick={() => move('scale-to-zero')}
        >
          Scale to zero
        </Button>
      )}
      <Button size="small" look="danger" icon="trash" onClick={() => removing.ask({ id })}>
        Delete
      </Button>
      <Question of={removing} title={() => `Delete ${namespace}/${name}?`} action="Delete endpoint">
        {() => 'Its URL responds with 404 from then on.'}
      </Question>
    </div>
  )
}

function describeScaling({
  minReplica,
  maxReplica,
  scaleToZeroTimeout,
}: InferenceEndpointItem['scaling']): string {
  const isIdling = minReplica === 0 && typeof scaleToZeroTimeout === 'number'
  const idle = isIdling
    ? `scales to zero after ${scaleToZeroTimeout} min without a request`
    : 'never scales to zero by itself'
  return `${minReplica === maxReplica ? `${minReplica} replicas` : `${minReplica} to ${maxReplica} replicas`}, ${idle}`
}

function curlOf({ type, repository }: InferenceEndpointItem, url: string): string {
  const body = { model: repository, messages: [{ role: 'user', content: 'Hello' }] }
  return repeatText('curl', {
    method: 'POST',
    url: `${url}/v1/chat/completions`,
    headers: [
      ['content-type', 'application/json'],
      ...(type === 'public' ? [] : [['authorization', `Bearer hf_…`] as const]),
    ],
    body: JSON.stringify(body),
  })
}
