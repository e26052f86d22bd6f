import { show } from '../core/arguments.ts'
import { suggestion } from '../core/suggestion.ts'
import type { Sandbox } from './sandbox-api.ts'

/**
 * What each test finds: a sandbox that went back to its fixtures, a fork of its own (which has an issuer of its own,
 * too), or what the test before has left.
 */
export type PerTest = 'reset' | 'fork' | 'keep'

const known: readonly string[] = ['reset', 'fork', 'keep'] satisfies PerTest[]

/**
 * A word that is not known would leave each test what the one before has left, and nobody would be told. A fork of a
 * sandbox that stands in for others is not where their requests go.
 * @param name how the option is called
 * @param intercepted the origins that the sandbox stands in for
 * @throws {TypeError}
 */
export function checkPerTest(
  name: string,
  perTest: PerTest,
  intercepted: string | readonly string[] = [],
): void {
  if (!known.includes(perTest)) {
    throw new TypeError(
      `${name} is one of ${known.join(', ')}, not ${show(perTest)}${suggestion(perTest, known)}`,
    )
  }
  if (perTest === 'fork' && intercepted.length > 0) {
    throw new TypeError(
      `a fork has an issuer of its own, and an intercepted origin has one sandbox: leave ${name} at 'reset'`,
    )
  }
}

/** A sandbox that is ready for a test, and what lets go of it. */
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
 * The settings of a sandbox that runs already are what they are: a test that asks for others would fail somewhere else.
 * @throws {TypeError}
 */
export function refuseOptions(url: string, options: object): void {
  const [first] = Object.entries(options).find(([, value]) => value !== undefined) ?? []
  if (first === undefined) return
  throw new TypeError(
    `the sandbox at ${url} runs already, so ${first} cannot be set by a test: start it with that, or unset HUB_SANDBOX_URL for a sandbox of the tests' own`,
  )
}

/**
 * Tests that run at once must not reset one sandbox under each other.
 * @param worker counts from 0
 * @param oneByOne how the test runner is told to have a single worker
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
    `several workers would reset the sandbox at ${url} under each other: run them one by one (${oneByOne}), or give each test a fork`,
  )
}
