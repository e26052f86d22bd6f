import { shellWord } from '../../lib/shell-quote.ts'

export type EnvironmentForm = 'shell' | 'dotenv' | 'json'

export function environmentText(
  environment: Readonly<Record<string, string>>,
  form: EnvironmentForm,
): string {
  if (form === 'json') return JSON.stringify(environment, null, 2)
  return Object.entries(environment)
    .map(([name, value]) =>
      form === 'shell' ? `export ${name}=${shellWord(value)}` : `${name}=${dotenvQuote(value)}`,
    )
    .join('\n')
}

function dotenvQuote(value: string): string {
  return /^[^\s#'"]*$/.test(value) ? value : JSON.stringify(value)
}
