import { describe, expect, test } from 'vitest'
import { type Outcomes, withOutcome } from '../helpers/apps/audit-web-app.ts'
import {
  huggingfaceHub,
  type LibraryApp,
  oauth4webapi,
  openidClientWithClaims,
  openidClientWithUserinfo,
} from '../helpers/apps/library-apps.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'

async function auditLibrary(app: LibraryApp): Promise<Outcomes> {
  const sandbox = await startTestSandbox()
  const { clientId } = defaultApps(sandbox).public
  let user: unknown
  const { verdicts } = await sandbox.audit.app({
    clientId,
    async signIn() {
      user = undefined
      user = await app({ issuer: sandbox.url, clientId })
    },
    signedIn: () => user,
  })
  return Object.fromEntries(verdicts.map(({ module, outcome }) => [module, outcome]))
}

interface Row {
  library: string
  app: LibraryApp
  /** Modules that do not pass, with the reason. */
  failed?: Readonly<Record<string, string>>
  tolerated?: Readonly<Record<string, string>>
}

const rows: readonly Row[] = [
  {
    library: '@huggingface/hub',
    app: huggingfaceHub,
    failed: {
      'id-token/garbage':
        'It never reads the ID token: the user comes from userinfo, over the same trusted connection.',
      'metadata/other-issuer': 'It reads the endpoints of the metadata, and not the issuer.',
    },
  },
  { library: 'openid-client', app: openidClientWithUserinfo },
  { library: 'openid-client, by the claims of the ID token alone', app: openidClientWithClaims },
  { library: 'oauth4webapi, with every check that it has', app: oauth4webapi },
]

describe.concurrent('the core audit of a library', () => {
  test.each(rows)(
    '$library',
    { timeout: 300_000 },
    async ({ app, failed = {}, tolerated = {} }) => {
      const outcomes = await auditLibrary(app)
      expect(withOutcome(outcomes, 'failed')).toEqual(Object.keys(failed).toSorted())
      expect(withOutcome(outcomes, 'tolerated')).toEqual(Object.keys(tolerated).toSorted())
      expect(withOutcome(outcomes, 'inconclusive', 'not-reached')).toEqual([])
    },
  )
})
