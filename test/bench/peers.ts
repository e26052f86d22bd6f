import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installCached } from '../helpers/cached-install.ts'
import { freePort } from '../helpers/free-port.ts'
import { type Command, readJsonLine } from './children.ts'
import type { Load } from './load.ts'
import { npmInstall } from './npm-install.ts'
import { redirectUri } from './fixtures.ts'
import { exchangeRequest } from './sandbox.ts'
import type { FixedRequest } from './sandbox.ts'

/** A program of others that our users might take instead. */
export interface Peer {
  name: string
  version: string
  command: (modules: string) => Promise<Command>
  metadata: string
  /** Where throughput can be taken. */
  jwks?: string
  /** Why not everything is measured, if so. */
  note?: string
  /** A request for a token, and one of ours that gives as much. */
  token?: { theirs: FixedRequest; ours: FixedRequest }
  signIn?: Load
}

const clientCredentials = {
  grant_type: 'client_credentials',
  scope: 'read-repos',
}
const basic = Buffer.from('bench:secret-of-the-bench').toString('base64')

export const peers: Peer[] = [
  {
    name: 'oauth2-mock-server',
    version: '9.3.0',
    command: async (modules) => ({
      name: 'oauth2-mock-server',
      path: join(modules, 'oauth2-mock-server/dist/oauth2-mock-server.mjs'),
      args: ['-a', '127.0.0.1', '-p', '0'],
      readUrl: (output) => /listening on (http:\S+)\s/.exec(output)?.[1],
    }),
    metadata: '/.well-known/openid-configuration',
    jwks: '/jwks',
    // It signs its access tokens, as we do the ID token.
    token: {
      theirs: { method: 'POST', path: '/token', form: clientCredentials },
      ours: exchangeRequest('openid profile email'),
    },
    signIn: {
      scenario: 'unaskedSignIn',
      input: {
        authorize: `/authorize?${new URLSearchParams({
          response_type: 'code',
          client_id: 'bench',
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          state: 'state-of-the-bench',
        }).toString()}`,
        token: '/token',
        userinfo: '/userinfo',
        form: {
          grant_type: 'authorization_code',
          client_id: 'bench',
          redirect_uri: redirectUri,
        },
      },
    },
  },
  {
    name: 'oidc-provider',
    version: '9.13.3',
    command: async (modules) => ({
      name: 'oidc-provider',
      path: fileURLToPath(new URL('programs/oidc-provider.mjs', import.meta.url)),
      args: [join(modules, 'oidc-provider/lib/index.js')],
      readUrl: readJsonLine,
    }),
    metadata: '/.well-known/openid-configuration',
    jwks: '/jwks',
    token: {
      theirs: {
        method: 'POST',
        path: '/token',
        headers: [`Authorization: Basic ${basic}`],
        form: clientCredentials,
      },
      ours: exchangeRequest('read-repos'),
    },
  },
  {
    name: 'emulate',
    version: '0.12.2',
    command: (modules) => emulate(modules, ['okta']),
    metadata: '/.well-known/openid-configuration',
    note: 'it refuses requests after the first 5,000, so only its start and its deliveries are measured',
  },
]

const seed = fileURLToPath(new URL('programs/emulate-seed.json', import.meta.url))

/** The one of the peers that delivers webhooks. */
export async function emulate(modules: string, services: readonly string[]): Promise<Command> {
  const port = String(await freePort())
  return {
    name: 'emulate',
    path: join(modules, 'emulate/dist/index.js'),
    args: ['start', '--service', services.join(','), '--port', port, '--seed', seed],
    readUrl: (output) => (output.includes('Ready') ? `http://localhost:${port}` : undefined),
  }
}

/**
 * Peers live in a folder of their own: the project does without them.
 * @returns where they are
 * @throws {Error} saying why they are not
 */
export async function installPeer({ name, version }: Peer): Promise<string> {
  const wanted = [`${name}@${version}`]
  const { folder, obstacle } = await installCached('bench-peer', wanted, (into) =>
    npmInstall(into, wanted),
  )
  if (obstacle !== undefined) throw new Error(obstacle)
  return join(folder, 'node_modules')
}
