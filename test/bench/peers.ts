import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installCached } from '../helpers/cached-install.ts'
import { freePort } from '../helpers/free-port.ts'
import type { Command } from './children.ts'
import { npmInstall } from './npm-install.ts'

/** Program that users might choose instead. */
export interface Peer {
  name: 'emulate' | 'oauth2-mock-server'
  version: string
  /** Whether it sends webhooks. */
  delivers: boolean
  /** Path that responds with 200 after the start. */
  page: string
  command: (modules: string) => Promise<Command>
}

const seed = fileURLToPath(new URL('programs/emulate-seed.json', import.meta.url))

export const peers: readonly Peer[] = [
  {
    name: 'emulate',
    version: '0.12.2',
    delivers: true,
    page: '/users/octocat',
    async command(modules) {
      const port = String(await freePort())
      return {
        name: 'emulate',
        path: join(modules, 'emulate/dist/index.js'),
        args: ['start', '--service', 'github', '--port', port, '--seed', seed],
        readUrl: (output) => (output.includes('Ready') ? `http://localhost:${port}` : undefined),
      }
    },
  },
  {
    name: 'oauth2-mock-server',
    version: '9.3.0',
    delivers: false,
    page: '/.well-known/openid-configuration',
    command: async (modules) => ({
      name: 'oauth2-mock-server',
      path: join(modules, 'oauth2-mock-server/dist/oauth2-mock-server.mjs'),
      args: ['-a', '127.0.0.1', '-p', '0'],
      readUrl: (output) => /listening on (http:\S+)\s/.exec(output)?.[1],
    }),
  },
]

/**
 * Installs a peer into a folder of its own: it is no dependency of the project.
 * @returns path of its `node_modules`
 * @throws {Error} with the reason why it cannot be installed
 */
export async function installPeer({ name, version }: Peer): Promise<string> {
  const wanted = [`${name}@${version}`]
  const { folder, obstacle } = await installCached('bench-peer', wanted, (into) =>
    npmInstall(into, wanted),
  )
  if (obstacle !== undefined) throw new Error(obstacle)
  return join(folder, 'node_modules')
}
