import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../ui/icon.tsx'

/** What to do where nothing has happened yet. */
export function FirstSteps({ signIn }: { signIn?: ReactNode }) {
  return (
    <ol aria-label="First steps" className="flex flex-col gap-3 px-4 pt-1 pb-4">
      <Step number={1} title="Point a client here">
        Copy the settings of yours from{' '}
        <a href="#client-settings" className="text-accent underline underline-offset-2">
          Point your client here
        </a>
        : its requests then appear in this place.
      </Step>
      <Step number={2} title="See a sign-in">
        {signIn ?? (
          <>
            Sign in with <StepLink href="/apps">an app that is registered here</StepLink>, with any
            user and no password.
          </>
        )}
      </Step>
      <Step number={3} title="Receive a webhook">
        <StepLink href="/webhooks?new">Create one</StepLink> for your receiver, then cause something
        in a repo: press <kbd className="font-mono">t</kbd>.
      </Step>
      <Step number={4} title="Break something">
        <StepLink href="/faults">Add a fault</StepLink>: a slow token endpoint, a cut connection, a
        wrong ID token.
      </Step>
    </ol>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
      >
        {number}
      </span>
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <div className="text-sm text-muted">{children}</div>
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
