import { join } from 'node:path'
import { isLoopbackHost } from '../../core/loopback.ts'
import { nodeOptions } from './node-options.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** Environment variables with credentials of the real hub. */
const isRealCredential = (name: string) =>
  /^(HF_TOKEN|HUGGING_FACE_HUB_TOKEN|HF_OIDC_.*)$/.test(name)

/**
 * Builds the environment of the program.
 * @param layers variables in ascending precedence; undefined removes one
 * @param modules that Node programs preload: paths or `file:` URLs
 * @param hosts names and addresses to exclude from proxies
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
 * Removes the user's credentials of the real hub: clients would send them to the sandbox, and `hf auth login` would
 * overwrite them.
 * @param folder in which clients store a token instead
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

/** Excludes the sandbox from the user's proxies, which cannot reach it. */
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

/** Variables with the name rules of the system: names are case-insensitive on Windows. */
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
