import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton, CopyableId } from '../../components/copy.tsx'
import { Panel } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { useKeys, useRotateKey } from './settings-requests.ts'

export function KeysPanel() {
  const keys = useKeys()
  const rotate = useRotateKey()
  return (
    <Panel
      title="Signing keys"
      lead="Public halves only; the private ones never leave the server."
      actions={
        <>
          <Button
            size="small"
            icon="retry"
            disabled={rotate.isPending}
            onClick={() => rotate.mutate({ keepOld: true })}
          >
            Rotate
          </Button>
          <Button
            size="small"
            disabled={rotate.isPending}
            onClick={() => rotate.mutate({ keepOld: false })}
          >
            Rotate, drop old
          </Button>
        </>
      }
    >
      <QueryView query={keys} what="keys">
        {({ items }) => (
          <ul className="flex flex-col divide-y divide-line">
            {items.map(({ kid, state, jwk }) => (
              <li key={kid} className="flex flex-wrap items-center gap-3 py-2">
                <Badge tone={state === 'current' ? 'ok' : 'neutral'}>{state}</Badge>
                <span className="min-w-0 flex-1">
                  <CopyableId text={kid} what="Key id" head={16} />
                </span>
                <CopyButton text={JSON.stringify(jwk, null, 2)} what="JWK" />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  )
}
