import type { ReactNode } from 'react'
import type { Overview } from '../../../../server/contract/control-health.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ReceiveButton } from '../../../shared/receive-button.tsx'
import { notify } from '../../../ui/toast.tsx'
import { useFirstStepsDismissed } from '../../../lib/browser-settings.ts'
import { words } from '../words.ts'
import { ConnectStep } from './connect-step.tsx'

interface FirstMinuteProps {
  data: Pick<Overview, 'firstSteps' | 'environment'>
  /** Starts a first sign-in without an app. */
  signIn: ReactNode
}

/** Three first steps side by side, until all have succeeded or they are dismissed in this browser. */
export function FirstMinute({ data: { firstSteps, environment }, signIn }: FirstMinuteProps) {
  const [dismissed, setDismissed] = useFirstStepsDismissed()
  const { connected, signedIn, delivered } = firstSteps
  if (dismissed || (connected && signedIn && delivered)) return null
  return (
    <section aria-label={words.firstSteps} className="relative">
      <ol aria-label={words.firstSteps} className="grid gap-3 md:grid-cols-3">
        <Step number={1} title="Connect an app" done={connected}>
          <ConnectStep environment={environment} />
        </Step>
        <Step number={2} title="Watch a sign-in" done={signedIn}>
          <p className="pb-2">The sandbox acts as an app; the sign-in is drawn step by step.</p>
          {signIn}
        </Step>
        <Step number={3} title="Receive a webhook" done={delivered}>
          <p className="pb-2">Starts a receiver, creates its webhook and pushes a commit.</p>
          <ReceiveButton />
        </Step>
      </ol>
      <div className="absolute top-2 right-2">
        <IconButton
          icon="cross"
          size="small"
          label="Dismiss the first steps"
          onClick={() => {
            setDismissed(true)
            notify('First steps dismissed', 'Show them again in Settings.')
          }}
        />
      </div>
    </section>
  )
}

interface StepProps {
  number: number
  title: string
  done: boolean
  children: ReactNode
}

function Step({ number, title, done, children }: StepProps) {
  return (
    <li className="flex min-w-0 gap-3 rounded-xl border border-line bg-surface p-3">
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
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {title}
          {done && <span className="sr-only"> (Done)</span>}
        </p>
        <div className="pt-0.5 text-sm text-muted">{children}</div>
      </div>
    </li>
  )
}
