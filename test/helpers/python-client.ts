import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installCached } from './cached-install.ts'
import { hasProgram } from './programs.ts'

const programs = process.platform === 'win32' ? 'Scripts' : 'bin'

interface InstalledPython {
  interpreter: string
  /** Why the packages are missing, if they are. */
  obstacle?: string
}

/**
 * Installs the hub's own Python client in an environment of its own.
 * @param version of huggingface_hub; default: the newest
 * @param more other packages, with their versions
 */
export function installPythonClient(
  version = '2.4.0',
  more: readonly string[] = [],
): Promise<InstalledPython> {
  return installPythonPackages([`huggingface_hub==${version}`, ...more])
}

/** Installs packages with exact versions in an environment of their own, once for each list. */
export async function installPythonPackages(packages: readonly string[]): Promise<InstalledPython> {
  if (!hasProgram('python3', '-c', 'import venv, ensurepip')) {
    return { interpreter: '', obstacle: 'Python with venv and pip is not installed' }
  }
  const execute = promisify(execFile)
  const { folder, ...rest } = await installCached('python-venv', packages, async (into) => {
    await execute('python3', ['-m', 'venv', into])
    await execute(join(into, programs, 'python'), ['-m', 'pip', 'install', '-q', ...packages])
  })
  return { interpreter: join(folder, programs, 'python'), ...rest }
}
