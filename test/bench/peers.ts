import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installCached } from '../helpers/cached-install.ts'
import { freePort } from '../helpers/free-port.ts'
import { readJsonLine, type Child, type Command } from './children.ts'
import { exchangeApp, publicApp, redirectUri } from './fixtures.ts'
import type { Load } from './load.ts'
import { npmInstall } from './npm-install.ts'
import { jsonOf, same } from './requests.ts'
import { refreshAt, signInAt, type SignInInput } from './rows/sign-in.ts'
import { authorizationQuery, codeForm } from './sandbox.ts'
import type { WorkName } from './works.ts'

/** Program that users might choose instead. */
export interface Peer {
  /** Selects its row on the command line. */
  name: string
  package: string
  version: string
  /** Path that responds with 200 after the start. */
  page: string
  command: (modules: string) => Promise<Command>
  /** Whether its deliveries are measured. */
  delivers?: true
  /** Whether `programs/test-suite.mjs` can run its suite of 50 tests against this peer. */
  hasSuite?: true
  /** Requests that it responds to before it refuses more. */
  mostRequests?: number
  /** The same works as ours, as far as it has them. */
  works: Partial<Record<WorkName, (server: Child) => Promise<Load>>>
}

const below = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const metadata = async () => same({ path: '/.well-known/openid-configuration' })
const get = (path: string) => async () => same({ path })
const post = (path: string, form: Record<string, string>) => async () =>
  same({ method: 'POST', path, form })
const machineForm = {
  grant_type: 'client_credentials',
  client_id: exchangeApp.id,
  client_secret: exchangeApp.secret,
}

/** Sign-ins and refreshes of the public app. */
function signIns(input: SignInInput, client: Record<string, string>): Peer['works'] {
  return {
    'sign-in': async () => signInAt(input),
    refresh: (server) => refreshAt(server, input, client),
  }
}

async function emulate(modules: string, service: string): Promise<Command> {
  const port = String(await freePort())
  const seed = below('programs/emulate-seed.json')
  return {
    name: 'emulate',
    path: join(modules, 'emulate/dist/index.js'),
    args: ['start', '--service', service, '--port', port, '--seed', seed],
    readUrl: (output) => (output.includes('Ready') ? `http://localhost:${port}` : undefined),
  }
}

const secretForm = { ...codeForm, client_secret: exchangeApp.secret }

export const peers: readonly Peer[] = [
  {
    name: 'emulate',
    package: 'emulate',
    version: '0.12.2',
    page: '/users/octocat',
    command: (modules) => emulate(modules, 'github'),
    delivers: true,
    hasSuite: true,
    works: {},
  },
  {
    name: 'emulate-okta',
    package: 'emulate',
    version: '0.12.2',
    page: '/.well-known/openid-configuration',
    command: (modules) => emulate(modules, 'okta'),
    mostRequests: 5000,
    works: {
      metadata,
      jwks: get('/oauth2/v1/keys'),
      exchange: post('/oauth2/v1/token', { ...machineForm, client_id: publicApp, scope: 'read' }),
      ...signIns(
        {
          authorize: `/oauth2/v1/authorize?${authorizationQuery}`,
          token: '/oauth2/v1/token',
          userinfo: '/oauth2/v1/userinfo',
          form: secretForm,
        },
        { client_id: publicApp, client_secret: exchangeApp.secret },
      ),
    },
  },
  {
    name: 'oauth2-mock-server',
    package: 'oauth2-mock-server',
    version: '9.3.0',
    page: '/.well-known/openid-configuration',
    command: async (modules) => ({
      name: 'oauth2-mock-server',
      path: join(modules, 'oauth2-mock-server/dist/oauth2-mock-server.mjs'),
      args: ['-a', '127.0.0.1', '-p', '0'],
      readUrl: (output) => /listening on (http:\S+)\s/.exec(output)?.[1],
    }),
    hasSuite: true,
    works: {
      metadata,
      jwks: get('/jwks'),
      exchange: post('/token', { ...machineForm, scope: 'read' }),
      ...signIns(
        {
          authorize: `/authorize?${authorizationQuery}`,
          token: '/token',
          userinfo: '/userinfo',
          form: codeForm,
        },
        { client_id: publicApp },
      ),
    },
  },
  {
    name: 'oidc-provider',
    package: 'oidc-provider',
    version: '9.13.3',
    page: '/.well-known/openid-configuration',
    command: async (modules) => ({
      name: 'oidc-provider',
      path: below('programs/oidc-provider.mjs'),
      args: [
        JSON.stringify({
          path: join(modules, 'oidc-provider/lib/index.js'),
          redirectUri,
          publicClient: publicApp,
          machineClient: exchangeApp,
        }),
      ],
      readUrl: readJsonLine,
    }),
    works: {
      metadata,
      jwks: get('/jwks'),
      exchange: post('/token', machineForm),
      poll: async (server) => {
        const form = { client_id: publicApp, scope: 'openid profile' }
        const started = await jsonOf(server, { method: 'POST', path: '/device/auth', form })
        const { device_code: code } = started as { device_code: string }
        const grant = 'urn:ietf:params:oauth:grant-type:device_code'
        const poll = { grant_type: grant, client_id: publicApp, device_code: code }
        return same({ method: 'POST', path: '/token', form: poll }, 400)
      },
      ...signIns(
        {
          authorize: `/auth?${authorizationQuery}`,
          answers: { login: 'alice', password: 'alice' },
          token: '/token',
          userinfo: '/me',
          form: codeForm,
        },
        { client_id: publicApp },
      ),
    },
  },
]

/**
 * Installs a peer into a folder of its own: it is no dependency of the project.
 * @returns path of its `node_modules`
 * @throws {Error} with the reason why it cannot be installed
 */
export async function installPeer(peer: Pick<Peer, 'package' | 'version'>): Promise<string> {
  const wanted = [`${peer.package}@${peer.version}`]
  const { folder, obstacle } = await installCached('bench-peer', wanted, (into) =>
    npmInstall(into, wanted),
  )
  if (obstacle !== undefined) throw new Error(obstacle)
  return join(folder, 'node_modules')
}
