import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether a program is there to be run. */
export function hasProgram(name: string, ...probe: string[]): boolean {
  return (
    spawnSync(name, probe.length === 0 ? ['--version'] : probe, { stdio: 'ignore' }).status === 0
  )
}

/** Variables by which a program finds others and a home, the tests' own; none else of this process but the guard of a port. */
const kept = ['PATH', 'HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'NODE_OPTIONS']

/** Environment with little of this process's: a program without a home would find the user's. */
export function bareEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) =>
    kept.includes(name.toUpperCase()),
  )
  return { ...Object.fromEntries(inherited), ...more }
}

/**
 * Runs a program to its end, with nothing of this process's environment but where programs are.
 * @returns what it printed
 * @throws {Error} with `stderr` when it fails
 */
export async function run(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  folder?: string,
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], {
    env: bareEnvironment(environment),
    ...(folder === undefined ? {} : { cwd: folder }),
    timeout: 30_000,
  })
  return stdout
}
