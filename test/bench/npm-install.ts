import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * Installs packages into a folder of their own.
 * @param packages names with versions
 * @param options.scripts whether their install scripts run, for packages that need them
 */
export async function npmInstall(
  folder: string,
  packages: readonly string[],
  { scripts = false } = {},
): Promise<void> {
  await execute(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      ...(scripts ? [] : ['--ignore-scripts']),
      ...packages,
    ],
    // On Windows npm is a shell script.
    { cwd: folder, shell: process.platform === 'win32', timeout: 120_000 },
  )
}
