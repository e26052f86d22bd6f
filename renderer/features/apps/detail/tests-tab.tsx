import type { FormEvent } from 'react'
import { Link } from 'wouter'
import type { AppItem } from '../../../../server/contract/control-apps.ts'
import type { AuditPlan } from '../../../../server/contract/words/audit-words.ts'
import { useAdvice } from '../../../api/advice.ts'
import { isOpenAudit, useAudits, useStartAudit } from '../../../api/audits.ts'
import { AuditView } from '../../../shared/audit-view.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Panel } from '../../../ui/page.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { words } from '../words.ts'

interface AuditForm {
  plan: AuditPlan
  start: string
  signedIn: string
  use: string
}

/** Findings of the checks about the app; starts an audit of it, and shows the last one. */
export function TestsTab({ app }: { app: AppItem }) {
  const audits = useAudits().data?.items ?? []
  const latest = audits.find(({ clientId }) => clientId === app.clientId)
  const isBusy = audits.some((audit) => audit.kind === 'app' && isOpenAudit(audit))
  return (
    <div className="flex flex-col gap-4 pt-4">
      <Findings clientId={app.clientId} />
      {/* Hidden, not gone: the next audit often has the same fields. */}
      <div hidden={latest !== undefined && isOpenAudit(latest)}>
        <StartForm app={app} isBusy={isBusy} />
      </div>
      {latest && <AuditView audit={latest} />}
    </div>
  )
}

/** How many mistakes of the app the checks have found, with a link to them. */
function Findings({ clientId }: Pick<AppItem, 'clientId'>) {
  const items = useAdvice().data?.items ?? []
  const count = items.filter(
    ({ app, ignored }) => app?.clientId === clientId && ignored === undefined,
  ).length
  return (
    <p className="text-sm text-muted">
      {count === 0 ? (
        'The checks found no mistake in its requests.'
      ) : (
        <>
          The checks found{' '}
          <Link
            href={`/findings?subject=${encodeURIComponent(clientId)}`}
            className="text-accent underline underline-offset-2"
          >
            {count === 1 ? '1 mistake' : `${count} mistakes`}
          </Link>{' '}
          in its requests.
        </>
      )}{' '}
      <Link href="/experiments" className="text-accent underline underline-offset-2">
        Experiments
      </Link>{' '}
      send it one wrong response.
    </p>
  )
}

function StartForm({ app, isBusy }: { app: AppItem; isBusy: boolean }) {
  const start = useStartAudit()
  const { form, patch, field } = useForm<AuditForm>(
    () => ({ plan: 'core', start: '', signedIn: '', use: '' }),
    start.error,
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    const { plan, ...urls } = form
    const given = Object.entries(urls).filter(([, url]) => url.trim() !== '')
    start.mutate({
      kind: 'app',
      clientId: app.clientId,
      plan,
      ...(Object.fromEntries(given) as Partial<Omit<AuditForm, 'plan'>>),
    })
  }
  return (
    <Panel title="Audit this app" lead={words.auditLead}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="URL that starts a sign-in"
            hint="Opened by a browser without JavaScript. Leave it empty to sign in by hand."
            placeholder="http://localhost:3000/login"
            {...field('start')}
          />
          <TextField
            label="Page for signed-in users"
            hint={words.auditSignedInHint}
            placeholder="http://localhost:3000/me"
            {...field('signedIn')}
          />
          <TextField
            label="URL that calls the Hub"
            hint="By which the app uses its token, for modules about expired and revoked tokens."
            {...field('use')}
          />
          <SelectField
            label="Plan"
            hint={words.auditPlanHints[form.plan]}
            value={form.plan}
            onChange={(plan) => patch({ plan })}
            options={(['core', 'full', 'oidf'] as const).map((plan) => ({
              value: plan,
              label: words.auditPlans[plan],
            }))}
          />
        </div>
        <FormError error={start.error} beside={['start', 'signedIn', 'use']} />
        <div>
          <Button type="submit" look="primary" icon="play" busy={start.isPending} disabled={isBusy}>
            Start audit
          </Button>
          {isBusy && <span className="ml-3 text-xs text-muted">Another audit is running.</span>}
        </div>
      </form>
    </Panel>
  )
}
