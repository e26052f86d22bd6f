import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton, CopyableId } from '../../../ui/copy.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { useKeys, useRotateKey } from '../model/requests.ts'
import { words } from '../words.ts'

export function KeysPanel() {
  const keys = useKeys()
  const rotate = useRotateKey()
  const dropping = useQuestion(rotate)
  return (
    <Panel
      title="Signing keys"
      lead="Public keys only; private keys never leave the server."
      actions={
        <>
          <Button
            size="small"
            icon="retry"
            busy={rotate.isPending}
            onClick={() => rotate.mutate({ keepOld: true })}
          >
            Rotate
          </Button>
          <Button
            size="small"
            busy={rotate.isPending}
            onClick={() => dropping.ask({ keepOld: false })}
          >
            {words.rotateAndRevoke}
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
      <Question
        of={dropping}
        title={() => 'Rotate and revoke the old keys?'}
        action={words.rotateAndRevoke}
      >
        {() => words.rotateConsequence}
      </Question>
    </Panel>
  )
}
