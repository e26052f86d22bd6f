import { join } from 'node:path'
import { isLoopbackHost } from '../../core/loopback.ts'
import { nodeOptions } from './node-options.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** What says who the user is at the real hub. */
const isRealCredential = (name: string) =>
  /^(HF_TOKEN|HUGGING_FACE_HUB_TOKEN|HF_OIDC_.*)$/.test(name)

/**
 * The environment of the program.
 * @param layers variables in their order: a later one counts, and undefined takes one away
 * @param modules what Node programs load first: paths or `file:` addresses
 * @param hosts names and addresses that no proxy leads to
 */
export function programEnvironment(
  inherited: Variables,
  layers: readonly Variables[],
  {
    modules,
    hosts,
    platform = process.platform,
  }: { modules: readonly string[]; hosts: readonly string[]; platform?: NodeJS.Platform },
): Record<string, string> {
  const environment = new VariableTable(inherited, platform)
  environment.set(directVariables(environment, hosts, platform))
  for (const variables of layers) environment.set(variables)
  if (modules.length > 0) {
    environment.set({ NODE_OPTIONS: nodeOptions(environment.get('NODE_OPTIONS'), modules) })
  }
  return environment.all()
}

/**
 * Takes the user's credentials of the real hub away: its clients would send them here, and `hf auth login` would write
 * over them.
 * @param folder where the clients keep a token instead
 */
export function withoutRealCredentials(
  inherited: Variables,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Variables {
  const sameCase = (name: string) => (platform === 'win32' ? name.toUpperCase() : name)
  const names = Object.keys(inherited).filter((name) => isRealCredential(sameCase(name)))
  return {
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    // Tokens that are stored by name lie beside it.
    HF_TOKEN_PATH: join(folder, 'token'),
  }
}

/** A proxy of the user's would be asked for the sandbox, which it cannot reach. */
function directVariables(
  environment: VariableTable,
  hosts: readonly string[],
  platform: NodeJS.Platform,
): Variables {
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  const names = platform === 'win32' ? proxies : proxies.flatMap((name) => [name, lower(name)])
  if (!names.some((name) => environment.get(name))) return {}
  const given = ['NO_PROXY', 'no_proxy'].flatMap(
    (name) => environment.get(name)?.split(/[\s,]+/) ?? [],
  )
  if (given.includes('*')) return {}
  const loopback = hosts.some(isLoopbackHost) ? ['localhost', '127.0.0.1', '::1'] : []
  const direct = [...new Set([...given, ...hosts, ...loopback])].filter((host) => host !== '')
  const value = direct.join(',')
  // Programs differ in which of the two they read first.
  return platform === 'win32' ? { NO_PROXY: value } : { NO_PROXY: value, no_proxy: value }
}

function lower(name: string): string {
  return name.toLowerCase()
}

/** Variables as the system tells them apart: Windows' names have no case. */
class VariableTable {
  readonly #values = new Map<string, { name: string; value: string }>()
  readonly #platform: NodeJS.Platform

  constructor(inherited: Variables, platform: NodeJS.Platform) {
    this.#platform = platform
    this.set(inherited)
  }

  #key(name: string): string {
    return this.#platform === 'win32' ? name.toUpperCase() : name
  }

  get(name: string): string | undefined {
    return this.#values.get(this.#key(name))?.value
  }

  set(variables: Variables): void {
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined) this.#values.delete(this.#key(name))
      else this.#values.set(this.#key(name), { name, value })
    }
  }

  all(): Record<string, string> {
    return Object.fromEntries([...this.#values.values()].map(({ name, value }) => [name, value]))
  }
}
