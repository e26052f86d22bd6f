import type { AuditVerdict } from '../../../server/contract/control-audits.ts'
import type { AppAuditOptions } from '../../../server/client/sandbox-audit.ts'
import { startSandbox } from '../../../server/index.ts'
import { defaultApps, defaultFixtures } from '../sandbox.ts'
import { createDeviceApp } from './device-app.ts'
import type { Mistake } from './mistakes.ts'
import { startWebApp, type WebAppOptions } from './web-app.ts'

type AuditedApp = Pick<WebAppOptions, 'mistakes' | 'shape'> &
  Partial<Pick<AppAuditOptions, 'plan' | 'only' | 'skip'>> & {
    /** Whether the audit can ask the app who is signed in. Default: true. */
    hasProbe?: boolean
  }

/** Outcome of each module, by its id. */
export type Outcomes = Readonly<Record<string, string>>

/** Audits the example app in a sandbox of its own. */
export async function auditWebApp(audited: AuditedApp): Promise<Outcomes> {
  return outcomesOf(await verdictsOfWebApp(audited))
}

export async function verdictsOfWebApp({
  mistakes = [],
  shape = 'both',
  hasProbe = true,
  ...modules
}: AuditedApp): Promise<AuditVerdict[]> {
  const sandbox = await startSandbox()
  const { clientId } = defaultApps(sandbox).public
  const app = await startWebApp({ issuer: sandbox.url, clientId, mistakes, shape })
  try {
    const { verdicts } = await sandbox.audit.app({
      clientId,
      start: app.loginUrl,
      use: app.useUrl,
      ...(hasProbe ? { signedIn: app.whoamiUrl } : {}),
      ...modules,
    })
    return verdicts
  } finally {
    await app.close()
    await sandbox.close()
  }
}

/** Audits the example device in a sandbox of its own, whose devices poll every second. */
export async function auditDeviceApp(
  mistakes: readonly Mistake[],
  { triesBothStyles = false } = {},
): Promise<Outcomes> {
  const sandbox = await startSandbox({
    fixtures: await defaultFixtures({ config: { device: { interval: '1s' } } }),
  })
  const { clientId } = defaultApps(sandbox).public
  const app = createDeviceApp({
    issuer: sandbox.url,
    clientId,
    mistakes,
    triesBothStyles,
  })
  try {
    const { verdicts } = await sandbox.audit.app({
      clientId,
      signIn: app.signIn,
      signedIn: app.isSignedIn,
      plan: 'full',
      flow: 'device',
    })
    return outcomesOf(verdicts)
  } finally {
    await sandbox.close()
  }
}

function outcomesOf(verdicts: readonly AuditVerdict[]): Outcomes {
  return Object.fromEntries(verdicts.map(({ module, outcome }) => [module, outcome]))
}

/** Modules by outcome, so that a test shows what is not as it should be. */
export function withOutcome(outcomes: Outcomes, ...wanted: readonly string[]): string[] {
  return Object.entries(outcomes)
    .filter(([, outcome]) => wanted.includes(outcome))
    .map(([module]) => module)
    .toSorted()
}
