import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installCached } from './cached-install.ts'
import { hasProgram } from './programs.ts'

const programs = process.platform === 'win32' ? 'Scripts' : 'bin'

/**
 * The hub's own Python client, in an environment of its own.
 * @param version of huggingface_hub; default: today's
 */
export async function installPythonClient(
  version = '2.4.0',
): Promise<{ interpreter: string; obstacle?: string }> {
  if (!hasProgram('python3', '-c', 'import venv, ensurepip')) {
    return { interpreter: '', obstacle: 'Python with venv and pip is not installed' }
  }
  const packages = [`huggingface_hub==${version}`]
  const execute = promisify(execFile)
  const { folder, ...rest } = await installCached('python-venv', packages, async (into) => {
    await execute('python3', ['-m', 'venv', into])
    await execute(join(into, programs, 'python'), ['-m', 'pip', 'install', '-q', ...packages])
  })
  return { interpreter: join(folder, programs, 'python'), ...rest }
}
