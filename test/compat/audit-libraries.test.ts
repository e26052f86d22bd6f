import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import {
  huggingfaceHub,
  mcpSdk,
  oauth4webapi,
  openidClientWithClaims,
  openidClientWithUserinfo,
} from '../helpers/apps/library-apps.ts'
import {
  deviceInShell,
  hfAuthLogin,
  inProcess,
  type PrepareLibrary,
  pythonSite,
} from '../helpers/apps/library-programs.ts'
import { root } from '../helpers/packed.ts'
import { defaultFixtures } from '../helpers/sandbox.ts'

type Reasons = Readonly<Record<string, string>>

interface Row {
  library: string
  prepare: PrepareLibrary
  /** Notes of the checks, with the reason. There are no other findings. */
  notes?: Reasons
  /** Modules that do not pass, with the reason. */
  failed?: Reasons
  notReached?: Reasons
  /** Modules about what the app does not do. */
  notApplicable?: readonly string[]
}

/** Without a browser of the sandbox. */
const inBrowser = ['callback/foreign-session', 'callback/markup']

/** The example only signs in: what comes later is code of the app, not of the library. */
const whenUsed = [
  'session/expired-token',
  'session/refresh-race',
  'session/refresh-refused',
  'session/refresh-rotated',
  'session/revoked',
]

/** Without the ID token, userinfo has no subject to compare either. */
const aboutIdToken = [
  'id-token/alg-none',
  'id-token/audience',
  'id-token/expired',
  'id-token/hs256-public-key',
  'id-token/issuer',
  'id-token/no-issued-at',
  'id-token/no-subject',
  'id-token/nonce',
  'keys/rotated',
  'userinfo/other-subject',
]

const metadataOnce = 'Authlib reads the metadata once in a process, before the module begins.'
const bareError =
  'Authlib raises the HTTP error of a status of 500 and above, which is no OAuthError: the app does not catch it, and Starlette responds without words.'

const rows: readonly Row[] = [
  {
    library: '@huggingface/hub',
    prepare: inProcess(huggingfaceHub),
    failed: {
      'id-token/garbage':
        'It never reads the ID token: the user comes from userinfo, over the same trusted connection.',
      'metadata/other-issuer': 'It reads the endpoints of the metadata, and not the issuer.',
    },
    notApplicable: [...aboutIdToken, ...inBrowser, ...whenUsed],
  },
  {
    library: 'openid-client',
    prepare: inProcess(openidClientWithUserinfo),
    notApplicable: [...inBrowser, ...whenUsed],
  },
  {
    library: 'openid-client, by the claims of the ID token alone',
    prepare: inProcess(openidClientWithClaims),
    notApplicable: ['userinfo/other-subject', ...inBrowser, ...whenUsed],
  },
  {
    library: 'oauth4webapi, with every check that it has',
    prepare: inProcess(oauth4webapi),
    notApplicable: [...inBrowser, ...whenUsed],
  },
  {
    library: 'MCP SDK, at the MCP server of the sandbox',
    prepare: inProcess(mcpSdk, true),
    failed: {
      'id-token/garbage':
        'It is a client of OAuth, not of OpenID Connect: it ignores the ID token.',
      'metadata/other-issuer':
        'It does not compare the issuer with the URL of the metadata, as a comment in its auth() says.',
      'session/refresh-race':
        'Each request that gets a 401 calls auth(), which refreshes: the transport keeps no promise of a refresh.',
    },
    notApplicable: [...aboutIdToken, ...inBrowser],
  },
  {
    library: 'Authlib in Flask',
    prepare: pythonSite({
      source: 'recipes/flask-authlib',
      program: 'app.py',
      packages: requirements('flask-authlib'),
      login: '/login',
      callback: '/callback',
    }),
    notReached: { 'metadata/other-issuer': metadataOnce },
    notApplicable: ['userinfo/other-subject', ...whenUsed],
  },
  {
    library: 'Authlib in FastAPI',
    prepare: pythonSite({
      source: 'recipes/fastapi-authlib',
      program: 'app.py',
      packages: requirements('fastapi-authlib'),
      login: '/login',
      callback: '/callback',
    }),
    notReached: { 'metadata/other-issuer': metadataOnce },
    notApplicable: ['userinfo/other-subject', ...whenUsed],
  },
  {
    library: 'huggingface_hub in a Space, by attach_huggingface_oauth',
    prepare: pythonSite({
      source: 'compat/python',
      program: 'huggingface-oauth.py',
      packages: ['huggingface_hub[oauth]==2.4.0', 'uvicorn==0.54.0'],
      login: '/oauth/huggingface/login',
      callback: '/oauth/huggingface/callback',
      space: 'alice/sentiment-demo',
    }),
    notes: {
      'sign-in/pkce-absent': 'It registers its client of Authlib without code_challenge_method.',
    },
    failed: {
      'callback/denied':
        'Its callback catches MismatchingStateError alone: the OAuthError of a denial becomes a status of 500.',
      'token/long':
        'It keeps the whole token response in the session cookie, which browsers drop above 4 KiB.',
      'token/server-error': bareError,
    },
    notReached: { 'metadata/other-issuer': metadataOnce },
    notApplicable: ['userinfo/other-subject', ...whenUsed],
  },
  { library: 'curl in a shell, by a device code', prepare: deviceInShell },
  { library: 'huggingface_hub, by hf auth login', prepare: hfAuthLogin },
]

function requirements(recipe: string): string[] {
  const file = join(root, 'test/recipes', recipe, 'requirements.txt')
  return readFileSync(file, 'utf8').trim().split('\n')
}

/** Outcomes of modules by their ids. */
function outcomes(outcome: string, modules: readonly string[]): Record<string, string> {
  return Object.fromEntries(modules.map((module) => [module, outcome]))
}

describe.concurrent('a library is silent under the checks, and its core audit', () => {
  test.for(rows)('$library', { timeout: 300_000 }, async (row, { onTestFinished, skip }) => {
    const { prepare, notes = {}, failed = {}, notReached = {}, notApplicable = [] } = row
    const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-library-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const sandbox = await startSandbox({
      fixtures: await defaultFixtures({ config: { device: { interval: '1s' } } }),
    })
    onTestFinished(() => sandbox.close())
    const app = await prepare({ sandbox, folder, onFinished: onTestFinished })
    if (typeof app === 'string') {
      skip(app)
      return
    }

    const { signInOnce, ...options } = app
    expect(await signInOnce()).toBe(true)
    const { items, rules } = await sandbox.advice.read()
    expect(items.map(({ rule }) => rule).toSorted()).toEqual(Object.keys(notes).toSorted())
    expect(items.every(({ level }) => level === 'note')).toBe(true)
    expect(rules.some(({ judged }) => judged > 0)).toBe(true)

    const { verdicts } = await sandbox.audit.app(options)
    const others = verdicts.filter(({ outcome }) => outcome !== 'passed')
    expect(verdicts.length).toBeGreaterThan(others.length)
    expect(Object.fromEntries(others.map(({ module, outcome }) => [module, outcome]))).toEqual({
      ...outcomes('failed', Object.keys(failed)),
      ...outcomes('not-reached', Object.keys(notReached)),
      ...outcomes('not-applicable', notApplicable),
    })
  })
})
