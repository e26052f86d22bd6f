import { dotenvLine } from '../server/contract/dotenv.ts'

/** In which form a client takes its settings. */
export type SettingsForm = 'shell' | 'dotenv'

/**
 * The environment in which a client uses a sandbox, as text: for the shell that the system has, or a .env file.
 * @param variables values are text of any kind, an app's secret among them
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

/** PowerShell takes four marks for a single quote, and each doubled for itself. */
function powerShellLine(name: string, value: string): string {
  return `$env:${name} = '${value.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`
}
