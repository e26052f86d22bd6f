import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../ui/icon.tsx'
import { words } from './words.ts'

/** First steps, shown while nothing has happened yet. */
export function FirstSteps({ signIn }: { signIn?: ReactNode }) {
  return (
    <ol aria-label={words.firstSteps} className="flex flex-col gap-3 px-4 pt-1 pb-4">
      <Step number={1} title={words.stepConnect}>
        {words.copySettingsFrom}{' '}
        <a href="#client-settings" className="text-accent underline underline-offset-2">
          {words.connectTitle}
        </a>
        {words.requestsShowHere}
      </Step>
      <Step number={2} title={words.stepSignIn}>
        {signIn ?? (
          <>
            {words.signInWith} <StepLink href="/apps">{words.registeredApp}</StepLink>{' '}
            {words.anyUser}
          </>
        )}
      </Step>
      <Step number={3} title={words.stepWebhook}>
        <StepLink href="/webhooks?new">{words.createWebhook}</StepLink> {words.thenTrigger}{' '}
        <kbd className="font-mono">t</kbd>.
      </Step>
      <Step number={4} title={words.stepBreak}>
        <StepLink href="/faults">{words.addFault}</StepLink>
        {words.faultExamples}
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
