import { basename, delimiter, dirname, resolve } from 'node:path'

interface Call {
  /** The script as Node was given it. */
  script: string | undefined
  env: Readonly<Record<string, string | undefined>>
}

/**
 * How whoever started this program calls it again, so that a hint works as it is printed: by its name where that is on
 * the path, by npx where npm installed it, else by the script itself, which works in every folder. Behind `npm start`
 * in a clone it is the script, too: npx finds a clone's own program in that folder alone. With `--no` npx installs nothing:
 * in a folder without the package it would offer whatever the registry has under this name, which is not ours. What follows
 * the name is a subcommand, since npx takes an option there for its own.
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
