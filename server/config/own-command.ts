import { basename, delimiter, dirname, resolve } from 'node:path'

interface Call {
  /** The script as Node was given it. */
  script: string | undefined
  env: Readonly<Record<string, string | undefined>>
}

/**
 * How whoever started this program calls it again, so that a hint works as it is printed: by npx or npm, by its name
 * where that is on the path, else by the script itself.
 */
export function ownCommand(
  { script, env }: Call = { script: process.argv[1], env: process.env },
): readonly string[] {
  if (script === undefined || env['npm_command'] !== undefined) return ['npx', 'hub-sandbox']
  if (/^hub-sandbox(\.cmd|\.ps1)?$/.test(basename(script))) {
    const folders = (env['PATH'] ?? '').split(delimiter).map((folder) => resolve(folder))
    return folders.includes(dirname(resolve(script))) ? ['hub-sandbox'] : [resolve(script)]
  }
  return ['node', resolve(script)]
}
