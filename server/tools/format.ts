import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Formats generated text as the project's files are.
 * @param path names the language by its extension; the file need not exist
 */
export function format(path: string, text: string): string {
  const oxfmt = `${root}node_modules/oxfmt/bin/oxfmt`
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [oxfmt, `--stdin-filepath=${path}`],
    { input: text, encoding: 'utf8', cwd: root },
  )
  if (status !== 0) throw new Error(`oxfmt refused ${path}: ${stderr}`)
  return stdout
}
