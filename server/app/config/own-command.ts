import { basename, delimiter, dirname, resolve } from 'node:path'

interface Call {
  /** Path of the script as Node got it. */
  script: string | undefined
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Returns the command line of this program, so that printed hints work: its name if that is on the path,
 * npx if npm installed it, else the script itself, which works in every folder. For `npm start` in a clone it is also the
 * script: npx finds the program of a clone in that folder only. With `--no`, npx installs nothing; without it, npx
 * offers any package of this name from the registry. A subcommand must follow the name, because npx
 * would read an option there as its own.
 */
export function ownCommand(
  { script, env }: Call = { script: process.argv[1], env: process.env },
): readonly string[] {
  if (script === undefined) return ['npx', '--no', 'hub-sandbox']
  if (!/^hub-sandbox(\.cmd|\.ps1)?$/.test(basename(script))) return ['node', resolve(script)]
  if (env['npm_command'] !== undefined) return ['npx', '--no', 'hub-sandbox']
  const folders = (env['PATH'] ?? '').split(delimiter).map((folder) => resolve(folder))
  return folders.includes(dirname(resolve(script))) ? ['hub-sandbox'] : [resolve(script)]
}
