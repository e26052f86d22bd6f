import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../server/contract/control-health.ts'
import { useLiveHistory } from '../../api/live-context.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/page.tsx'
import { notify } from '../../ui/toast.tsx'
import { useFirstStepsDismissed } from '../../lib/browser-settings.ts'
import { words } from './words.ts'

interface FirstStepsProps {
  data: Pick<Overview, 'counts' | 'signIns'>
  /** Way to see a first sign-in without an app. */
  signIn?: ReactNode
}

/** Checklist of first steps, until it is dismissed in this browser. */
export function FirstSteps({ data: { counts, signIns }, signIn }: FirstStepsProps) {
  const [dismissed, setDismissed] = useFirstStepsDismissed()
  // A fault that was used up or removed has been tried, too.
  const hasTriedFault = useLiveHistory().some(({ type }) => type.startsWith('fault.'))
  if (dismissed) return null
  return (
    <Panel
      title={words.firstSteps}
      lead="Each one is ticked when it has happened."
      actions={
        <Button
          size="small"
          look="quiet"
          onClick={() => {
            setDismissed(true)
            notify('First steps dismissed', 'Show them again in Settings.')
          }}
        >
          Dismiss
        </Button>
      }
    >
      <ol aria-label={words.firstSteps} className="flex flex-col gap-3">
        <Step number={1} title="Connect an app" done={counts.requests > 0}>
          Copy the settings from{' '}
          <a href="#client-settings" className="text-accent underline underline-offset-2">
            {words.connectTitle}
          </a>
          . Its requests show up here.
        </Step>
        <Step number={2} title="Watch a sign-in" done={signIns.recent.length > 0}>
          {signIn ?? (
            <>
              Sign in with <StepLink href="/apps">a registered app</StepLink> as any user; no
              password needed.
            </>
          )}
        </Step>
        <Step number={3} title="Receive a webhook" done={counts.deliveries > 0}>
          <StepLink href="/webhooks?new">{words.createWebhook}</StepLink> for your receiver, then
          trigger an event: press <kbd className="font-mono">t</kbd>.
        </Step>
        <Step number={4} title="Break something" done={counts.faults > 0 || hasTriedFault}>
          <StepLink href="/faults">Add fault</StepLink>: a slow token endpoint, a dropped
          connection, an invalid ID token.
        </Step>
      </ol>
    </Panel>
  )
}

interface StepProps {
  number: number
  title: string
  done: boolean
  /** Only shown until the step is done. */
  children: ReactNode
}

function Step({ number, title, done, children }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className={
          done
            ? 'grid size-6 shrink-0 place-items-center rounded-full bg-ok-soft text-ok'
            : 'grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent'
        }
      >
        {done ? <Icon name="check" className="size-4" /> : number}
      </span>
      <div className="min-w-0">
        <p className="font-medium">
          {title}
          {done && <span className="sr-only"> ({'Done'})</span>}
        </p>
        {!done && <div className="text-sm text-muted">{children}</div>}
      </div>
    </li>
  )
}

function StepLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-accent underline underline-offset-2">
      {children}
      <Icon name="chevron" className="ml-0.5 inline size-3" />
    </Link>
  )
}
