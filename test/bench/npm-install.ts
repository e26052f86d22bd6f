import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * Installs packages into a folder of their own.
 * @param packages names with versions
 * @param options.scripts whether their install scripts run: only where a package is nothing without
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
    // npm is a script of the shell on Windows.
    { cwd: folder, shell: process.platform === 'win32', timeout: 120_000 },
  )
}
