import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Life } from './seen.ts'

const program = join(import.meta.dirname, 'life.py')

export interface PythonClient {
  interpreter: string
  /** Cache folder of the client. */
  home: string
  /** URL of the sandbox. */
  url: string
}

/** The life of a repo by the Python client. */
export function lifeByPython({ interpreter, home, url }: PythonClient): Life {
  async function run<T>(...args: string[]): Promise<T> {
    const { stdout } = await promisify(execFile)(interpreter, [program, ...args], {
      env: {
        ...process.env,
        HF_ENDPOINT: url,
        HF_TOKEN: 'hf_sandbox_alice',
        HF_HOME: home,
        HF_HUB_DISABLE_XET: '1',
        HF_HUB_DISABLE_PROGRESS_BARS: '1',
        HF_HUB_DISABLE_TELEMETRY: '1',
        HF_HUB_DISABLE_UPDATE_CHECK: '1',
      },
      timeout: 120_000,
    })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
  }
  return { grow: (folder) => run('grow', folder), move: () => run('move'), end: () => run('end') }
}
