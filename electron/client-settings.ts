import { dotenvLine } from '../server/contract/dotenv.ts'

/** Format of client settings. */
export type SettingsForm = 'shell' | 'dotenv'

/**
 * Returns the environment variables of a client as text: for the shell of the system, or as a .env file.
 * @param variables with arbitrary values, including the secret of an app
 */
export function clientSettingsText(
  variables: Readonly<Record<string, string>>,
  form: SettingsForm,
  platform: NodeJS.Platform,
): string {
  const line =
    form === 'dotenv' ? dotenvLine : platform === 'win32' ? powerShellLine : posixShellLine
  return Object.entries(variables)
    .map(([name, value]) => `${line(name, value)}\n`)
    .join('')
}

function posixShellLine(name: string, value: string): string {
  return `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`
}

/** PowerShell treats four characters as single quotes; doubling escapes each. */
function powerShellLine(name: string, value: string): string {
  return `$env:${name} = '${value.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`
}
