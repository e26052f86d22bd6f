import type { Locator, Page } from '@playwright/test'
import { expect, test } from 'vitest'
import type { AppAuditOptions } from '../../../server/client/sandbox-audit.ts'
import type { AppItem, AppList } from '../../../server/contract/control-types.ts'
import type { Sandbox } from '../../../server/index.ts'
import { openPage } from './chromium.ts'
import type { Stage } from './recipe.ts'
import type { WebPage, WebUser } from './web-user.ts'

type Audit = Omit<AppAuditOptions, 'clientId'>

/** Modules with the reason why they do not pass. */
type Reasons = Readonly<Record<string, string>>

/** The metadata is read at the start of an app, which an audit does not restart. */
const readsMetadataOnce: Reasons = {
  'metadata/other-issuer': 'The app reads the metadata at its start, before the module begins.',
}

interface Expected {
  /** Name of the app, or of its Space. Default: the app with a secret that programs get. */
  app?: string
  /** Modules that judge nothing in this sample. */
  unjudged?: Reasons
  /** Modules that fail by a library, where the sample cannot help it. */
  failed?: Reasons
}

/** Expects that no module of the audit fails but those with a reason. */
export async function expectAuditPassed(
  sandbox: Sandbox,
  audit: Audit,
  { app = 'Team Dashboard', unjudged = {}, failed = {} }: Expected = {},
): Promise<void> {
  const { clientId } = await appNamed(sandbox, app)
  const { verdicts } = await sandbox.audit.app({ clientId, ...audit })
  const judged = new Set(['passed', 'tolerated', 'not-applicable'])
  const others = verdicts
    .filter(({ outcome }) => !judged.has(outcome))
    .filter(({ module, outcome }) => outcome === 'failed' || !(module in readsMetadataOnce))
  const expected = [
    ...Object.keys(unjudged).map((module) => [module, 'inconclusive', expect.anything()]),
    ...Object.keys(failed).map((module) => [module, 'failed', expect.anything()]),
  ]
  const found = others.map(({ module, outcome, observed }) => [module, outcome, observed])
  expect(found).toEqual(expected)
  expect(verdicts.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(2)
}

/** Tests that the app of a recipe passes its audit. */
export function passesAudit(stage: Stage, audit: () => Audit, options?: Expected): void {
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

/** Options for a program that signs in by a device code, and ends with 0 if that succeeds. */
export function auditOfDevice(stage: Stage, command: readonly string[]): Audit {
  let isSignedIn = false
  return {
    flow: 'device',
    async signIn() {
      isSignedIn = false
      isSignedIn = await stage.run(command).then(
        () => true,
        () => false,
      )
    },
    signedIn: () => isSignedIn,
  }
}

/** Options for an app that needs a browser with JavaScript. */
export function auditOfPage(
  stage: Stage,
  app: { signIn: (page: Page) => Promise<void>; signedIn: (page: Page) => Locator },
): Audit {
  let page: Page | undefined
  /** Whether something is shown soon. */
  const isShown = (locator: Locator) =>
    locator
      .first()
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      )
  return {
    async signIn() {
      await page?.context().browser()?.close()
      page = await openPage(stage.app.url)
      await app.signIn(page)
      await page.getByRole('button', { name: /alice/ }).click()
      const allow = page.getByRole('button', { name: 'Allow' })
      // Without the page of a consent that is stored.
      if (await isShown(allow)) await allow.click()
      await page.waitForLoadState('networkidle')
    },
    signedIn: async () => page !== undefined && isShown(app.signedIn(page)),
  }
}

async function appNamed(sandbox: Sandbox, name: string): Promise<AppItem> {
  const { items } = await sandbox.control<AppList>('GET', 'apps')
  const app = items.find((item) => item.name === name || item.space === name)
  if (app === undefined) throw new Error(`there is no app ${name}`)
  return app
}
