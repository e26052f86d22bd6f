import { expect, test } from 'vitest'
import type { AppAuditOptions } from '../../../server/handle/sandbox-audit.ts'
import type { AppItem, AppList } from '../../../server/contract/control-types.ts'
import type { Sandbox } from '../../../server/index.ts'
import type { Stage } from './recipe.ts'
import type { WebPage, WebUser } from './web-user.ts'

type Audit = Omit<AppAuditOptions, 'clientId'>

/** Modules that judge nothing in a sample, with the reason. */
export type Unjudged = Readonly<Record<string, string>>

/** The metadata is read at the start of an app, which an audit does not restart. */
const readsMetadataOnce: Unjudged = {
  'metadata/other-issuer': 'The app reads the metadata at its start, before the module begins.',
}

/**
 * Expects that no module of the audit fails.
 * @param app name of the app; default: the one with a secret that programs get
 */
export async function expectAuditPassed(
  sandbox: Sandbox,
  audit: Audit,
  { app = 'Team Dashboard', unjudged = {} }: { app?: string; unjudged?: Unjudged } = {},
): Promise<void> {
  const { clientId } = await appNamed(sandbox, app)
  const { verdicts } = await sandbox.audit.app({ clientId, ...audit })
  const judged = new Set(['passed', 'tolerated', 'not-applicable'])
  const others = verdicts
    .filter(({ outcome }) => !judged.has(outcome))
    .filter(({ module, outcome }) => outcome === 'failed' || !(module in readsMetadataOnce))
  expect(others.map(({ module, outcome, observed }) => [module, outcome, observed])).toEqual(
    Object.keys(unjudged).map((module) => [module, 'inconclusive', expect.anything()]),
  )
  expect(verdicts.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(3)
}

/** Tests that the app of a recipe passes its audit. */
export function passesAudit(
  stage: Stage,
  audit: () => Audit,
  options?: Parameters<typeof expectAuditPassed>[2],
): void {
  test('passes its audit', { timeout: 300_000 }, async () => {
    await expectAuditPassed(stage.sandbox, audit(), options)
  })
}

/** Options for a site whose path `/login` begins a sign-in, and whose front page shows who is signed in. */
export const auditOfSite = (url: string, login = '/login', text = 'Signed in as'): Audit => ({
  start: `${url}${login}`,
  signedIn: `${url}/`,
  signedInText: text,
})

/** Options for a site whose sign-in begins with a form. */
export function auditOfForm(
  stage: Stage,
  begin: (user: WebUser) => Promise<WebPage>,
  text = 'Signed in as',
): Audit {
  let user: WebUser | undefined
  return {
    async signIn() {
      user = stage.user('alice')
      await begin(user)
    },
    signedIn: async () => (await user?.open(stage.app.url))?.text.includes(text) === true,
  }
}

async function appNamed(sandbox: Sandbox, name: string): Promise<AppItem> {
  const { items } = await sandbox.control<AppList>('GET', 'apps')
  const app = items.find((item) => item.name === name || item.space === name)
  if (app === undefined) throw new Error(`there is no app ${name}`)
  return app
}
