import type { MendKind } from '../../server/contract/words/sandbox.ts'
import type { Mend } from '../../server/contract/control-mends.ts'
import { callApi } from '../api/client.ts'
import { useRead, useWrite } from '../api/query.ts'
import { Button } from './button.tsx'
import { Code } from './code.tsx'
import { CopyButton } from './copy.tsx'
import { FormError } from './form-error.tsx'
import { Icon } from './icon.tsx'
import { MendChange } from './mend-change.tsx'
import { Question, useQuestion } from './question.tsx'

const actions: Record<MendKind, string> = {
  'redirect-uri': 'Allow it',
  scope: 'Give it',
  app: 'Register it',
  member: 'Add the user',
  clock: 'Advance it',
}

/** What would let a refused sign-in pass, where the sandbox can change it: each is shown whole, and asked. */
export function Mends({ flowId }: { flowId: string }) {
  const mends = useRead('GET flows/:id/mends', { params: { id: flowId } })
  const make = useWrite({
    call: ({ id }: Mend) =>
      callApi('POST flows/:id/mends/:mend', { params: { id: flowId, mend: id } }),
    changes: ['flows', 'apps', 'organizations', 'clock', 'tokens', 'device'],
  })
  const asking = useQuestion(make)
  const { items = [] } = mends.data ?? {}
  return (
    <>
      {make.data && (
        <output className="flex gap-2.5 rounded-lg bg-ok-soft p-3 text-sm">
          <Icon name="check" className="mt-0.5 size-4 text-ok" />
          <span className="min-w-0 break-words">
            <span className="font-medium">{make.data.made.title}: done.</span> {make.data.next}
          </span>
        </output>
      )}
      <FormError error={make.error} />
      {items.length > 0 && (
        <section className="flex flex-col gap-2" aria-label="What would help">
          <h3 className="eyebrow">What would help</h3>
          <ul className="flex flex-col gap-2">
            {items.map((mend) => (
              <MendCard key={mend.id} mend={mend} onAsk={() => asking.ask(mend)} />
            ))}
          </ul>
        </section>
      )}
      <Question
        of={asking}
        title={({ title }) => `${title}?`}
        action={({ kind }) => actions[kind]}
        look={({ address }) => (address?.loopback === false ? 'danger' : 'primary')}
        wide
      >
        {(mend) => <MendChange mend={mend} />}
      </Question>
    </>
  )
}

function MendCard({ mend, onAsk }: { mend: Mend; onAsk: () => void }) {
  const { kind, title, fixtures, onTheHub } = mend
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h4 className="min-w-0 flex-1 basis-60 font-medium break-words">{title}</h4>
        <Button size="small" onClick={onAsk}>
          {actions[kind]}…
        </Button>
      </div>
      <MendChange mend={mend} />
      <details className="text-sm">
        <summary className="w-fit rounded text-muted hover:text-ink">
          For every start, and on the hub
        </summary>
        <div className="flex flex-col gap-2 pt-2">
          <p className="break-words text-muted">{onTheHub}</p>
          <div className="flex items-center justify-between gap-2">
            <p className="min-w-0 break-words text-muted">
              In a fixtures file, at <span className="font-mono text-xs">{fixtures.place}</span>:
            </p>
            <CopyButton text={fixtures.lines} what="fixtures line" />
          </div>
          <Code json label="Fixtures" text={fixtures.lines} />
        </div>
      </details>
    </li>
  )
}
