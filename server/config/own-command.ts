import { basename, delimiter, dirname, resolve } from 'node:path'

interface Call {
  /** The script as Node was given it. */
  script: string | undefined
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Command line that starts this program again, so that a hint works as it is printed: its name where that is on the path,
 * npx where npm installed it, else the script itself, which works in every folder. Behind `npm start` in a clone it is the
 * script, too: npx finds a clone's own program in that folder alone. With `--no`, npx installs nothing; without it, npx
 * offers any package of this name from the registry, which is not ours. A subcommand must follow the name, because npx
 * reads an option there as its own.
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
