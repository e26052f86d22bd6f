import { show } from '../core/arguments.ts'
import { suggestion } from '../contract/suggestion.ts'
import type { Sandbox } from './sandbox-api.ts'

/**
 * State at the start of each test: a reset sandbox, a new fork (which has its own issuer,
 * too), or the state that the previous test left.
 */
export type PerTest = 'reset' | 'fork' | 'keep'

const known: readonly string[] = ['reset', 'fork', 'keep'] satisfies PerTest[]

/**
 * Refuses an unknown value, which would silently keep the state between tests. A fork of a
 * sandbox with intercepted origins would not receive their requests.
 * @param name of the option
 * @param intercepted origins of the sandbox
 * @throws {TypeError}
 */
export function checkPerTest(
  name: string,
  perTest: PerTest,
  intercepted: string | readonly string[] = [],
): void {
  if (!known.includes(perTest)) {
    throw new TypeError(
      `${name} must be one of ${known.join(', ')}, not ${show(perTest)}${suggestion(perTest, known)}`,
    )
  }
  if (perTest === 'fork' && intercepted.length > 0) {
    throw new TypeError(
      `an intercepted origin has one sandbox, and a fork has another issuer: use 'reset' for ${name}`,
    )
  }
}

/** Sandbox of a test, and its cleanup. */
export interface ReadySandbox {
  readonly sandbox: Sandbox
  release(): Promise<void>
}

export async function readyForTest(sandbox: Sandbox, perTest: PerTest): Promise<ReadySandbox> {
  if (perTest === 'fork') {
    const fork = await sandbox.fork()
    return { sandbox: fork, release: () => fork.close() }
  }
  if (perTest === 'reset') await sandbox.reset()
  return { sandbox, release: async () => {} }
}

/**
 * Refuses options for a sandbox that is already running: the test would fail elsewhere without them.
 * @throws {TypeError}
 */
export function refuseOptions(url: string, options: object): void {
  const [first] = Object.entries(options).find(([, value]) => value !== undefined) ?? []
  if (first === undefined) return
  throw new TypeError(
    `the sandbox at ${url} is already running, so a test cannot set ${first}: start the sandbox with it, or unset HUB_SANDBOX_URL to give the tests their own sandbox`,
  )
}

/**
 * Refuses parallel tests that would reset one shared sandbox.
 * @param worker counts from 0
 * @param oneByOne option of the test runner for a single worker
 * @throws {TypeError}
 */
export function refuseSharing(
  url: string,
  perTest: PerTest,
  worker: number,
  oneByOne: string,
): void {
  if (perTest !== 'reset' || worker === 0) return
  throw new TypeError(
    `parallel workers would reset the sandbox at ${url} during each other's tests: use one worker (${oneByOne}), or give each test a fork`,
  )
}
