import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { installPythonClient } from './python-client.ts'

export interface PythonSandbox {
  /** URL of the sandbox, once it has started. */
  readonly url: string
  /**
   * Runs a script and parses the last line of its output as JSON.
   * @param env changes its environment; a variable that is undefined is missing
   */
  run<T>(
    script: string,
    token?: string,
    env?: Readonly<Record<string, string | undefined>>,
  ): Promise<T>
}

/**
 * The hub's Python client and a sandbox for the tests of a file, back at its fixtures before each, which are skipped where the
 * client cannot be installed. A script runs as a user of the sandbox would run it, who has set what `env` prints.
 * @param version, more as {@link installPythonClient}
 */
export function preparePythonSandbox(
  version?: string,
  more: readonly string[] = [],
): PythonSandbox {
  let obstacle: string | undefined
  let interpreter: string
  let folder: string
  /** Cache folder of the client. */
  let home: string
  let sandbox: Sandbox

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-python-'))
    const installed = await installPythonClient(version, more)
    obstacle = installed.obstacle
    interpreter = installed.interpreter
    sandbox = await startSandbox()
  }, 240_000)
  beforeEach(async ({ skip }) => {
    skip(obstacle !== undefined, obstacle)
    home = mkdtempSync(join(folder, 'home-'))
    await sandbox.reset()
  })
  afterAll(async () => {
    await (sandbox as Sandbox | undefined)?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  return {
    get url() {
      return sandbox.url
    },
    async run<T>(
      script: string,
      token = 'hf_sandbox_alice',
      env: Readonly<Record<string, string | undefined>> = {},
    ) {
      const { stdout } = await promisify(execFile)(interpreter, ['-c', script], {
        env: {
          ...process.env,
          HF_ENDPOINT: sandbox.url,
          HF_TOKEN: token,
          HF_HOME: home,
          HF_HUB_DISABLE_PROGRESS_BARS: '1',
          ...env,
        },
        timeout: 120_000,
      })
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
    },
  }
}
