import type { Environment } from '../../app/config/flag-sources.ts'
import type { LargeFileWay } from '../../contract/words/hub-words.ts'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type Finding, findingsAbout } from './finding.ts'

/**
 * Checks that clients send large files in a way that the sandbox receives. With `hf_xet` installed, `huggingface_hub` from
 * 1.20 on uploads them by Xet only; earlier releases let the server choose.
 */
export function checkXet(
  env: Environment,
  largeFiles: LargeFileWay,
  isInstalled = findXet(env) !== undefined,
): Finding {
  const { fine, note, wrong } = findingsAbout('xet')
  const setting = env['HF_HUB_DISABLE_XET'] ?? ''
  // Values that the Python client treats as true.
  if (/^(1|on|yes|true)$/i.test(setting))
    return fine('HF_HUB_DISABLE_XET disables uploads through Xet.')
  if (largeFiles === 'xet') return fine('The sandbox receives large files by Xet and by Git LFS.')
  const said = setting === '' ? 'is not set' : `is ${setting}`
  const effect = 'huggingface_hub 1.20 and newer cannot upload large files to the sandbox'
  const fix = 'export HF_HUB_DISABLE_XET=1'
  return isInstalled
    ? wrong(`HF_HUB_DISABLE_XET ${said}, and hf_xet is installed: ${effect}.`, fix)
    : note(
        `HF_HUB_DISABLE_XET ${said}. hf_xet is not installed for the Python of this shell; with hf_xet, ${effect}.`,
        fix,
      )
}

/** Looks for the package on disk, beside the Python of this shell: running Python may be slow, or it may be a stub. */
export function findXet(env: Environment): string | undefined {
  const programs = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => ['python3', 'python', 'python.exe'].map((name) => join(folder, name)))
    .filter((path) => existsSync(path))
  const roots = [env['VIRTUAL_ENV'], env['CONDA_PREFIX']].filter((path) => path !== undefined)
  const prefixes = programs.flatMap((path) => [
    dirname(dirname(path)),
    dirname(dirname(realpathSync(path))),
    // Windows has it at the root of an installation.
    dirname(path),
  ])
  const home = env['HOME'] === undefined ? [] : [join(env['HOME'], '.local')]
  const folders = [...new Set([...roots, ...prefixes, ...home])].flatMap(packageFolders)
  return folders.map((folder) => join(folder, 'hf_xet')).find((path) => existsSync(path))
}

function packageFolders(prefix: string): string[] {
  const lib = join(prefix, 'lib')
  const versions = existsSync(lib)
    ? readdirSync(lib).filter((name) => /^python3(\.\d+)?$/.test(name))
    : []
  return [
    join(prefix, 'Lib', 'site-packages'),
    ...versions.flatMap((name) => [
      join(lib, name, 'site-packages'),
      join(lib, name, 'dist-packages'),
    ]),
  ]
}
