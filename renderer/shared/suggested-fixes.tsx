import { Link } from 'wouter'
import type { FixKind } from '../../server/contract/words/sandbox-words.ts'
import type { Fix, FixList } from '../../server/contract/control-fixes.ts'
import { callApi } from '../api/client.ts'
import { useRead, useWrite } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from './form-error.tsx'
import { Icon } from '../ui/icon.tsx'
import { FixChange } from './fix-change.tsx'
import { PermanentFix } from './permanent-fix.tsx'
import { Question, useQuestion } from '../ui/question.tsx'
import { UriDifference } from './uri-difference.tsx'
import { words } from './words.ts'

const actions: Record<FixKind, string> = {
  'redirect-uri': 'Allow this URI',
  scope: 'Add the scopes',
  app: 'Register the app',
  member: 'Add the member',
  clock: 'Advance the clock',
  publisher: 'Change the claims',
}

interface FixesProps {
  flowId: string
  /** One line for each; its changes are shown with the question. */
  compact?: boolean
}

/** Fixes that the sandbox can apply to a refused sign-in; each asks first. */
export function Fixes(props: FixesProps) {
  const fixes = useRead('GET flows/:id/fixes', { params: { id: props.flowId } })
  const { items = [], setting } = fixes.data ?? {}
  return <FixCards {...props} items={items} setting={setting} />
}

/** {@link Fixes} that are known already. */
export function FixCards({
  flowId,
  items,
  setting,
  compact = false,
}: FixesProps & { items: readonly Fix[]; setting?: FixList['setting'] | undefined }) {
  const make = useWrite({
    call: ({ id }: Fix) =>
      callApi('POST flows/:id/fixes/:fix', { params: { id: flowId, fix: id } }),
    changes: ['flows', 'apps', 'organizations', 'clock', 'tokens', 'device'],
  })
  const asking = useQuestion(make)
  return (
    <>
      {make.data && (
        <output className="flex gap-2.5 rounded-lg bg-ok-soft p-3 text-sm">
          <Icon name="check" className="mt-0.5 size-4 text-ok" />
          <span className="min-w-0 break-words">
            <span className="font-medium">Fixed.</span> {make.data.next}
          </span>
        </output>
      )}
      <FormError error={make.error} />
      {items.length > 0 && (
        <section className="flex flex-col gap-2" aria-label={words.howToFix}>
          <h3 className="eyebrow">{words.howToFix}</h3>
          <ul className="flex flex-col gap-2">
            {items.map((fix) => (
              <FixCard key={fix.id} fix={fix} compact={compact} onAsk={() => asking.ask(fix)} />
            ))}
          </ul>
        </section>
      )}
      {setting && (
        <Link
          href={`/apps/${encodeURIComponent(setting.clientId)}?tab=settings&fix=${encodeURIComponent(flowId)}`}
          className="flex w-fit items-center gap-1 text-sm text-accent underline underline-offset-2"
        >
          {words.openInSettings[setting.field]}
          <Icon name="chevron" className="size-3" />
        </Link>
      )}
      <Question
        of={asking}
        title={({ title }) => `${title}?`}
        action={({ kind }) => actions[kind]}
        look={({ address }) => (address?.loopback === false ? 'danger' : 'primary')}
        wide
      >
        {(fix) => (
          <div className="flex flex-col gap-2">
            <FixChange fix={fix} />
            {compact && <PermanentFix fix={fix} />}
          </div>
        )}
      </Question>
    </>
  )
}

interface FixCardProps {
  fix: Fix
  compact: boolean
  onAsk: () => void
}

function FixCard({ fix, compact, onAsk }: FixCardProps) {
  const { kind, title } = fix
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line px-3 py-2">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h4 className="min-w-0 flex-1 basis-44 font-medium break-words">{title}</h4>
        <Button size="small" onClick={onAsk}>
          {actions[kind]}…
        </Button>
      </div>
      {fix.nearest && <UriDifference nearest={fix.nearest} />}
      {!compact && (
        <>
          <FixChange fix={fix} />
          <PermanentFix fix={fix} />
        </>
      )}
    </li>
  )
}
